//! Annotated modules: mistakes, prototypes, invariants that are found, what is kept between runs, and contracts that are executed.

use crate::support::Desk;

const NODE: &str = "#include <stddef.h>\nstruct node { int data; struct node *next; };\n";

fn module(rest: &str) -> Desk {
    Desk::with(format!("{NODE}{rest}"))
}

#[test]
fn clauses_of_other_languages_are_mistakes() {
    for (clause, told) in [
        ("assigns {&p->data} \\from p;", "`\\from` does not belong to this language"),
        ("decreases n;", "the clause `decreases` is not known"),
        ("behavior b: ensures n == 0;", "the clause `behavior` is not known"),
        ("terminates 1;", "the clause `terminates` is not known"),
        ("requires \\separated(p, p);", "`\\separated` is not known"),
    ] {
        let desk = module(&format!("/*@ {clause} */\nvoid f(struct node *p, int n) {{ }}\n"));
        let output = desk.run("check a.c");
        output.expect(2, &[told, "a.c:3:", "^", "note: "]);
        assert_eq!(output.stdout, "", "{clause}");
    }
    let loops = "void f(int n)\n{\n    int i = 0;\n    //@ loop assigns i;\n    while (i < n)\n        i = i + 1;\n}\n";
    module(&format!("/*@ requires n > 0; */\n{loops}"))
        .run("check a.c")
        .expect(2, &["`loop assigns`", "a.c:7:"]);
}

const CALLER: &str = "/*@ requires alloc(q) && k >= 0;
    modifies {&q->data};
    ensures q->data == k && \\result == k; */
int set(struct node *q, int k);
/*@ requires alloc(p);
    modifies {&p->data};
    ensures p->data == 7; */
void f(struct node *p)
{
    int r = set(p, NUMBER);
    p->data = r + 2;
}
";

#[test]
fn a_contract_on_a_prototype_is_relied_on_and_told() {
    let desk = module(&CALLER.replace("NUMBER", "5"));
    desk.run("check a.c").expect(0, &["set", "safe"]);
    module(&CALLER.replace("NUMBER", "-5"))
        .run("check a.c --suspicions")
        .expect(3, &["a.c:12:", "requires was not shown"]);
    module(&CALLER.replace("NUMBER", "6"))
        .run("check a.c --suspicions")
        .expect(3, &["a.c:9:", "ensures was not shown"]);
    // Names are those of the prototype.
    let nameless = CALLER.replace("NUMBER", "5").replace("*q, int k)", "*, int)");
    module(&nameless).run("check a.c").expect(2, &["`q` is not known"]);
}

#[test]
fn the_variable_of_a_for_has_a_name_in_its_invariant() {
    let count = "/*@ requires 0 <= n && n <= 1000;\n    ensures \\result == n; */\nint count(int n)\n{\n    int k = 0;
    //@ loop invariant 0 <= i && i <= n && k == i;
    for (int i = 0; i < n; i++)
        k++;
    return k;
}
";
    module(count).run("check a.c").expect(0, &["safe"]);
    // A variable of the body has no value before it.
    let inner = count.replace("k++;", "{ int j = k; k = j + 1; }").replace("k == i", "k == i && j >= 0");
    module(&inner).run("check a.c").expect(2, &["`j` is not known"]);
}

const FILL: &str = "/*@ requires BS(NULL);
    requires head == NULL || block(head, struct node.next) == NULL;
    requires \\forall struct node *x \\in list(head, struct node.next); x == NULL || (Off(x) == 0 && alloc(x));
    modifies list(head, struct node.next);
    ensures \\forall struct node *x \\in list(head, struct node.next); x == NULL || x->data == v;
*/
void fill(struct node *head, int v)
{
    struct node *cur = head;
INVARIANTS    while (cur != NULL) {
        cur->data = v;
        cur = cur->next;
    }
}
";

#[test]
fn invariants_that_were_found_can_be_pasted() {
    let desk = module(&FILL.replace("INVARIANTS", ""));
    let output = desk.run("check a.c --suggest");
    output.expect(0, &["safe", "a.c:12: before this loop:", "//@ loop invariant "]);
    let lines = output.stdout.lines().filter(|line| line.contains("//@ loop invariant"));
    let found: String = lines.map(|line| format!("{line}\n")).collect();
    let pasted = module(&FILL.replace("INVARIANTS", &found));
    pasted.run("check a.c --suggest").expect(0, &["safe", "no loop invariants were found that are missing"]);
}

#[test]
fn what_was_shown_is_not_asked_again() {
    let two = "/*@ requires alloc(p);\n    modifies {&p->data};\n    ensures p->data == 1; */\nvoid one(struct node *p) { p->data = 1; }
/*@ requires alloc(p) && p->data >= NUMBER && p->data < 1000;\n    modifies {&p->data};\n    ensures p->data > NUMBER; */\nvoid two(struct node *p) { p->data = p->data + 1; }\n";
    let desk = module(&two.replace("NUMBER", "2"));
    let questions = |desk: &Desk, expected: i32| -> u64 {
        let output = desk.run("check a.c --cache kept --format json");
        output.expect(expected, &[]);
        let at = output.stdout.find("\"questions\": ").expect("the number of questions") + 13;
        output.stdout[at..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("it")
    };
    let first = questions(&desk, 0);
    assert!(first > 1);
    assert_eq!(questions(&desk, 0), 0);
    // Another line in between changes no question; another constant changes those of its function.
    desk.file("a.c", format!("{NODE}\n{}", two.replace("NUMBER", "3")));
    let second = questions(&desk, 0);
    assert!(second > 0 && second < first, "{second} of {first}");
    // What does not hold is not kept.
    desk.file("a.c", format!("{NODE}{}", two.replace("NUMBER", "2").replace("p->data + 1", "p->data + 0")));
    assert!(questions(&desk, 1) > 0);
    assert!(questions(&desk, 1) > 0);
}

#[test]
fn questions_of_an_earlier_run_stay() {
    let desk = module(
        "/*@ requires alloc(p);\n    modifies {&p->data};\n    ensures p->data == 1; */\nvoid one(struct node *p) { p->data = 1; }\n",
    );
    let count = || std::fs::read_dir(desk.path("asked")).expect("a folder").count();
    desk.run("check a.c --dump-queries asked").expect(0, &[]);
    let first = count();
    desk.run("check a.c --dump-queries asked").expect(0, &[]);
    assert_eq!(count(), 2 * first);
}

const PROGRAM: &str = "/*@ requires alloc(p) && p->data < 100;
    modifies {&p->data};
    ensures p->data == \\old(p->data) + 1; */
void bump(struct node *p) { p->data = p->data + 1; }
/*@ requires BS(NULL) && (p == NULL || block(p, struct node.next) == NULL);
    ensures \\result >= 0; */
int count(struct node *p)
{
    int n = 0;
    //@ loop invariant n >= 0;
    while (p != NULL) {
        n = n + 1;
        p = p->next;
    }
    return n;
}
struct node last = { 99, NULL };
struct node first = { FIRST, &last };
int main(void)
{
    bump(&first);
    return count(&first);
}
";

#[test]
fn contracts_are_executed() {
    let right = module(&PROGRAM.replace("FIRST", "0"));
    right.run("run a.c --contracts").expect(0, &["finished with exit code 2"]);
    // What the callee requires does not hold at the call.
    let wrong = module(&PROGRAM.replace("FIRST", "100"));
    wrong.run("run a.c").expect(0, &[]);
    wrong
        .run("run a.c --contracts")
        .expect(1, &["a.c:23:", "what the called function requires does not hold"]);
    let weak = PROGRAM.replace("FIRST", "0").replace("+ 1; */", "+ 2; */");
    module(&weak)
        .run("run a.c --contracts")
        .expect(1, &["a.c:5:", "what the function ensures does not hold"]);
    let frame = PROGRAM
        .replace("FIRST", "0")
        .replace("p->data = p->data + 1; }", "p->data = p->data + 1; p->next = NULL; }");
    module(&frame).run("run a.c --contracts").expect(1, &["that nothing else is modified does not hold"]);
    let invariant = PROGRAM.replace("FIRST", "0").replace("invariant n >= 0", "invariant n < 2");
    module(&invariant).run("run a.c --contracts").expect(1, &["the loop invariant is kept does not hold"]);
    module(&PROGRAM.replace("FIRST", "0").replace("ensures \\result", "ensures result"))
        .run("run a.c --contracts")
        .expect(2, &["`result` is not known"]);
}
