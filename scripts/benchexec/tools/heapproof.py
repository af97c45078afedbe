"""Tool-info module of heapproof for BenchExec (https://github.com/sosy-lab/benchexec)."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """heapproof verifies that C programs use memory correctly."""

    REQUIRED_PATHS = ["bin"]

    def executable(self, tool_locator):
        try:
            return tool_locator.find_executable("heapproof", subdir="bin")
        except benchexec.tools.template.ToolNotFoundException:
            return tool_locator.find_executable("heapproof")

    def name(self):
        return "heapproof"

    def project_url(self):
        return "https://github.com/heapproof/heapproof"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heapproof ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--format", "svcomp", *options]
        if rlimits.cputime or rlimits.walltime:
            # What is left is for writing the answer.
            seconds = min(limit for limit in (rlimits.cputime, rlimits.walltime) if limit)
            command += ["--timeout", str(max(1, int(seconds * 0.95)))]
        if rlimits.memory:
            # heapproof and clang or the solver have this limit each.
            command += ["--memory", str(max(64, int(rlimits.memory / 2**20 * 0.45)))]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict):
            model = task.options.get("data_model")
            if model:
                command += ["--target", model.lower()]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        for line in run.output:
            line = line.strip()
            if line == "TRUE":
                return result.RESULT_TRUE_PROP
            if line.startswith("FALSE"):
                return "false" + line[len("FALSE"):]
            if line.startswith("UNKNOWN"):
                return result.RESULT_UNKNOWN
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if run.exit_code.value == 2:
            return result.RESULT_ERROR + " (wrong use, or the program does not compile)"
        return result.RESULT_ERROR
