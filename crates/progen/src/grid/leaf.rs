//! The scalars that a value of a type consists of: how they are set, read and written as constants.

use std::fmt::Write;

/// What a scalar holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Any number; the type keeps what fits.
    Integer,
    /// 0 or 1.
    Flag,
    /// A constant of an enumeration: 0, 1 or 2.
    Choice,
    /// More than 64 bits: so many.
    Wide(u32),
    /// A floating-point number.
    Real,
    /// A complex number of floating-point numbers.
    Complex,
    /// A complex number of integers.
    WholeComplex,
    /// A vector of this many integers.
    Vector(u32),
    /// A vector of this many floating-point numbers.
    RealVector(u32),
    /// A pointer to an element of `objects`.
    Pointer,
    /// A pointer to an element of `nodes`.
    Node,
    /// A pointer to one of three functions.
    Function,
}

/// One scalar of a value, and where it is: `.a.b[2]`, or nothing if it is the whole value.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub path: String,
    /// The type to convert numbers to that are wider than `long long`.
    pub c: String,
    pub content: Content,
}

/// Definitions that all texts of this module use.
pub const PRELUDE: &str = r"typedef unsigned long long u64;
typedef long long s64;
typedef __SIZE_TYPE__ size_type;
#define NUMBER(k, i) ((s64)((u64)(k) * 0x9E3779B97F4A7C15ull ^ (u64)((i) + 1) * 0xC2B2AE3D27D4EB4Full))
static inline u64 mix(u64 h, u64 v) { h = (h ^ v) * 0x100000001B3ull; return h ^ h >> 29; }
#define SEE(read, ...) (h = mix(h, read((__VA_ARGS__), k)))
static inline int fold(u64 h) { return (int)(unsigned)(h ^ h >> 32); }
struct node { struct node *next; int value; };
static int one(int x) { return x + 1; }
static int two(int x) { return x * 2; }
static int three(int x) { return 3 - x; }
static int (*const functions[3])(int) = { one, two, three };
extern int objects[8];
extern struct node nodes[4];
void *malloc(size_type);
void *calloc(size_type, size_type);
void *realloc(void *, size_type);
void free(void *);
void *memcpy(void *, const void *, size_type);
void *memmove(void *, const void *, size_type);
void *memset(void *, int, size_type);
int memcmp(const void *, const void *, size_type);
";

/// The objects that pointers point to, in one file of the program.
pub const OBJECTS: &str = "int objects[8];\nstruct node nodes[4];\n";

impl Leaf {
    /// It is a pointer, so not every number is a value.
    pub fn points(&self) -> bool {
        matches!(self.content, Content::Pointer | Content::Node | Content::Function)
    }

    /// The value number `k`, as an expression. With `constant` it may stand in a static initialiser.
    fn value(&self, k: &str, index: usize, constant: Option<usize>) -> String {
        let number = |step: usize| format!("NUMBER({k}, {})", index * 8 + step);
        let real = |step: usize| format!("((int)({k}) * 3 - {} + 0.5)", (index + step) % 7);
        let small = |modulus: usize| format!("(({k}) + {index}u) % {modulus}u");
        match self.content {
            Content::Integer => number(0),
            Content::Flag => small(2),
            Content::Choice => format!("(({}){})", self.c, small(3)),
            Content::Wide(bits) => {
                let mut text = format!("({}){}", self.c, number(0));
                for (step, shift) in (64..bits).step_by(64).enumerate() {
                    let _ = write!(text, " ^ (({})({} & 0x7fffffff) << {shift})", self.c, number(step + 1));
                    if bits - shift < 33 {
                        // A signed number may not be shifted beyond its width.
                        text = format!("({}){} ^ ({})1 << {}", self.c, number(0), self.c, bits - 2);
                    }
                }
                format!("({text})")
            }
            Content::Real => real(0),
            Content::Complex => format!("({} + {} * 1.0i)", real(0), real(1)),
            Content::WholeComplex => format!("((int)({k}) * 5 + {} * 1i)", index + 2),
            Content::Vector(count) => list(count, |step| number(step as usize)),
            Content::RealVector(count) => list(count, |step| real(step as usize)),
            Content::Pointer => format!("&objects[{}]", small(8)),
            Content::Node => format!("&nodes[{}]", small(4)),
            Content::Function => match constant {
                Some(k) => ["one", "two", "three"][(k + index) % 3].to_owned(),
                None => format!("functions[{}]", small(3)),
            },
        }
    }

    /// Sets this scalar of `*p` to the value number `k`.
    fn set(&self, index: usize) -> String {
        let place = format!("(*p){}", self.path);
        let elements = |count: u32| {
            let one = Leaf { content: Content::Integer, ..self.clone() };
            let real = Leaf { content: Content::Real, ..self.clone() };
            let mut text = String::new();
            for step in 0..count as usize {
                let value = match self.content {
                    Content::Vector(_) => one.value("k", index * 8 + step, None),
                    _ => real.value("k", index + step, None),
                };
                let _ = write!(text, "{place}[{step}] = {value}; ");
            }
            text
        };
        match self.content {
            Content::Vector(count) | Content::RealVector(count) => elements(count),
            Content::Complex | Content::WholeComplex => {
                let value = self.value("k", index, None);
                format!("__real__ {place} = __real__ {value}; __imag__ {place} = __imag__ {value}; ")
            }
            _ => format!("{place} = {}; ", self.value("k", index, None)),
        }
    }

    /// Mixes this scalar of `*p` into `h`.
    fn read(&self) -> String {
        let place = format!("(*p){}", self.path);
        let mixed = |value: &str| format!("h = mix(h, (u64)({value})); ");
        match self.content {
            Content::Integer | Content::Flag | Content::Choice => mixed(&format!("(s64){place}")),
            Content::Wide(bits) => {
                (0..bits).step_by(64).map(|shift| mixed(&format!("(u64)({place} >> {shift})"))).collect()
            }
            Content::Real => mixed(&format!("(s64)({place} * 4)")),
            Content::Complex => {
                mixed(&format!("(s64)(__real__ {place} * 4)"))
                    + &mixed(&format!("(s64)(__imag__ {place} * 4)"))
            }
            Content::WholeComplex => {
                mixed(&format!("(s64)__real__ {place}")) + &mixed(&format!("(s64)__imag__ {place}"))
            }
            Content::Vector(count) => (0..count).map(|i| mixed(&format!("(s64){place}[{i}]"))).collect(),
            Content::RealVector(count) => {
                (0..count).map(|i| mixed(&format!("(s64)({place}[{i}] * 4)"))).collect()
            }
            Content::Pointer => mixed(&format!("(s64)((char *){place} - (char *)objects)")),
            Content::Node => mixed(&format!("(s64)({place} - nodes)")),
            Content::Function => mixed(&format!("(s64){place}(5)")),
        }
    }
}

fn list(count: u32, value: impl Fn(u32) -> String) -> String {
    let values: Vec<String> = (0..count).map(value).collect();
    format!("{{ {} }}", values.join(", "))
}

/// The function that sets `*p` to the value number `k`; `alternatives` are the members of a union, which take turns.
pub fn maker(name: &str, alternatives: &[Vec<Leaf>]) -> String {
    let mut text = format!("static void make_{name}({name} *p, unsigned k) {{\n");
    for (turn, leaves) in alternatives.iter().enumerate() {
        let body: String = leaves.iter().enumerate().map(|(index, leaf)| leaf.set(index)).collect();
        let _ = match alternatives.len() {
            1 => writeln!(text, "  {body}"),
            count => writeln!(text, "  if (k % {count} == {turn}) {{ {body}}}"),
        };
    }
    text + "}\n"
}

/// The function that computes a number from the value number `k` in `*p`.
pub fn reader(name: &str, alternatives: &[Vec<Leaf>]) -> String {
    let mut text = format!("static u64 read_{name}(const {name} *p, unsigned k) {{\n  u64 h = k;\n");
    for (turn, leaves) in alternatives.iter().enumerate() {
        let body: String = leaves.iter().map(Leaf::read).collect();
        let _ = match alternatives.len() {
            1 => writeln!(text, "  {body}"),
            count => writeln!(text, "  if (k % {count} == {turn}) {{ {body}}}"),
        };
    }
    text + "  return h;\n}\n"
}

/// A constant initialiser with the value number `k`.
pub fn initialiser(alternatives: &[Vec<Leaf>], k: usize) -> String {
    let leaves = &alternatives[k % alternatives.len()];
    match leaves.as_slice() {
        [whole] if whole.path.is_empty() => {
            let value = whole.value(&k.to_string(), 0, Some(k));
            if value.starts_with('{') { value } else { format!("{{ {value} }}") }
        }
        leaves => {
            let parts = leaves.iter().enumerate().map(|(index, leaf)| {
                format!("{} = {}", leaf.path, leaf.value(&k.to_string(), index, Some(k)))
            });
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// An initialiser with zeros.
pub fn zeros(alternatives: &[Vec<Leaf>]) -> &'static str {
    let whole = alternatives.iter().flatten().any(|leaf| leaf.path.is_empty());
    if whole { "{ 0 }" } else { "{ }" }
}
