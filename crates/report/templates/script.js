"use strict";
// One step at a time, beside the whole source. Without this script all steps stand one after the other.
for (const stepper of document.querySelectorAll(".stepper")) {
  const steps = [...stepper.querySelectorAll(".step")];
  const bar = document.createElement("div");
  bar.className = "bar";
  const button = (text, label, to) => {
    const made = document.createElement("button");
    made.type = "button"; made.textContent = text; made.title = label;
    made.setAttribute("aria-label", label);
    made.onclick = () => show(to());
    bar.append(made);
    return made;
  };
  let now = 0;
  const first = button("|◂", "First step (Home)", () => 0);
  const back = button("◂ Back", "Step back (left arrow)", () => now - 1);
  const forth = button("Next ▸", "Next step (right arrow)", () => now + 1);
  const last = button("▸|", "The error (End)", () => steps.length - 1);
  const slider = document.createElement("input");
  slider.type = "range"; slider.min = 1; slider.max = steps.length;
  slider.setAttribute("aria-label", "Step");
  slider.oninput = () => show(slider.value - 1);
  const keys = document.createElement("kbd");
  keys.textContent = "← → Home End";
  bar.append(slider, keys);
  stepper.querySelector(".legend").after(bar);
  stepper.classList.add("live");
  const whole = step => {
    const source = document.getElementById("f" + step.dataset.file);
    const code = step.querySelector(".code");
    if (!source || step.dataset.whole) return;
    step.dataset.whole = "1";
    const shown = new Set([...code.querySelectorAll("b")].map(b => b.textContent));
    const lines = [...source.children].map(line => {
      const copy = line.cloneNode(true);
      copy.removeAttribute("id");
      const number = copy.querySelector("b").textContent;
      if (number === step.dataset.line) copy.classList.add("here");
      if (number === step.dataset.line && step.classList.contains("last")) copy.classList.add("bad");
      if (!shown.has(number)) copy.classList.add("far");
      return copy;
    });
    code.replaceChildren(...lines);
  };
  const show = to => {
    now = Math.max(0, Math.min(steps.length - 1, to));
    const before = stepper.querySelector(".now .picture");
    const left = before ? before.scrollLeft : 0;
    steps.forEach((step, index) => step.classList.toggle("now", index === now));
    whole(steps[now]);
    const code = steps[now].querySelector(".code"), line = code.querySelector(".here");
    if (line) code.scrollTop = line.offsetTop - code.offsetTop - code.clientHeight / 2;
    steps[now].querySelector(".picture").scrollLeft = left;
    slider.value = now + 1;
    first.disabled = back.disabled = now === 0;
    last.disabled = forth.disabled = now === steps.length - 1;
  };
  stepper.tabIndex = 0;
  stepper.addEventListener("keydown", event => {
    if (event.target === slider) return;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  });
  const wanted = new RegExp("^#e" + stepper.dataset.error + "-s(\\d+)$").exec(location.hash);
  show(wanted ? wanted[1] - 1 : steps.length - 1);
}
addEventListener("hashchange", () => {
  const place = document.getElementById(location.hash.slice(1));
  const file = place && place.closest("details");
  if (file) { file.open = true; place.scrollIntoView({ block: "center" }); }
});
