//! The words of verification conditions, after sections 4, 5 and 7 of the paper on low-level reachability.
//!
//! A pointer is an object and an offset in bytes; an integer has the null object. What changes is a function of a
//! *heap*: contents by width, allocation, blocking pointers and, for every link field, which cells are links, where they
//! lead, what is reachable, and the first blocking pointer on the way (`block`). Where a list ends at a cell that is no
//! link, its `block` is a pointer of its own that is equal to no other. Quantifiers have triggers.

use heapproof_ir::{CType, Program, TypeId, ctype};
use heapproof_logic::{Function, Op, Sort, Term};

/// No object is larger: then sums of offsets and sizes cannot wrap.
const LARGEST: i128 = 1 << 46;

/// A C type in annotations. Annotations may have types that the program does not name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ctype {
    /// A mathematical integer.
    Math,
    /// A type of the program.
    Of(TypeId),
    /// A basic type.
    Int {
        /// In bytes.
        size: u64,
        /// With sign.
        signed: bool,
    },
    /// `void`.
    Void,
    /// A pointer.
    Pointer(Box<Ctype>),
}

/// What a type is made of, with typedefs and qualifiers gone.
pub enum Shown<'a> {
    /// A mathematical integer.
    Math,
    /// An integer or an enumeration.
    Int {
        /// In bytes.
        size: u64,
        /// With sign.
        signed: bool,
    },
    /// A pointer to a type.
    Pointer(Ctype),
    /// A structure or union with its members.
    Aggregate(TypeId, &'a [heapproof_ir::Member]),
    /// An array of a type.
    Array(Ctype),
    /// Anything else.
    Other,
}

impl Ctype {
    /// What the type is made of.
    pub fn show<'a>(&self, program: &'a Program) -> Shown<'a> {
        match self {
            Ctype::Math => Shown::Math,
            Ctype::Int { size, signed } => Shown::Int { size: *size, signed: *signed },
            Ctype::Void => Shown::Other,
            Ctype::Pointer(to) => Shown::Pointer((**to).clone()),
            Ctype::Of(id) => {
                let id = ctype::strip(&program.types, *id);
                match &program.types[id] {
                    CType::Int { size, signed, .. } => Shown::Int { size: *size, signed: *signed },
                    CType::Enum { size, .. } => Shown::Int { size: *size, signed: false },
                    CType::Pointer { to } => Shown::Pointer(Ctype::Of(*to)),
                    CType::Array { element, .. } => Shown::Array(Ctype::Of(*element)),
                    CType::Struct { members, .. } | CType::Union { members, .. } => Shown::Aggregate(id, members),
                    _ => Shown::Other,
                }
            }
        }
    }

    /// The size in bytes.
    pub fn size(&self, program: &Program) -> Option<u64> {
        let pointer = pointer_bytes(program);
        match self {
            Ctype::Math => None,
            Ctype::Int { size, .. } => Some(*size),
            Ctype::Void => Some(1),
            Ctype::Pointer(_) => Some(pointer),
            Ctype::Of(id) => match &program.types[ctype::strip(&program.types, *id)] {
                CType::Void => Some(1),
                _ => ctype::size_of(&program.types, *id, pointer),
            },
        }
    }

    /// The size of the scalar at an offset in a value of this type; that of the first one if there is none there.
    pub fn scalar_at(&self, program: &Program, offset: i128) -> Option<u64> {
        match self.show(program) {
            Shown::Aggregate(_, members) => {
                let inside = |member: &&heapproof_ir::Member| {
                    let start = i128::from(member.bit_offset / 8);
                    let size = Ctype::Of(member.ty).size(program).unwrap_or(0);
                    start <= offset && offset < start + i128::from(size)
                };
                match members.iter().find(inside) {
                    Some(member) => Ctype::Of(member.ty).scalar_at(program, offset - i128::from(member.bit_offset / 8)),
                    None => Ctype::Of(members.first()?.ty).scalar_at(program, 0),
                }
            }
            Shown::Array(element) => {
                let size = i128::from(element.size(program)?.max(1));
                element.scalar_at(program, offset.rem_euclid(size))
            }
            _ => self.size(program),
        }
    }
}

/// The size of a pointer.
pub fn pointer_bytes(program: &Program) -> u64 {
    program.target.pointer_bytes()
}

/// A link field that contracts speak of.
#[derive(Clone, Debug)]
pub struct LinkField {
    /// The structure.
    pub owner: TypeId,
    /// Its offset in it.
    pub offset: i128,
    /// The cell of this field in the structure at a pointer is a link.
    pub link: Function,
    /// Where it leads.
    pub next: Function,
    /// A pointer is in the list from another one.
    pub reach: Function,
    /// The first blocking pointer after a pointer.
    pub block: Function,
}

/// The words.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Vocabulary {
    pub pointer: Sort,
    pub object: Sort,
    pub heap: Sort,
    pub pointer_bytes: u8,
    obj: Function,
    off: Function,
    ptr: Function,
    plus: Function,
    num: Function,
    size: Function,
    alloc: Function,
    blocking: Function,
    /// Contents by width: 1, 2, 4, 8, 16 bytes.
    mem: [Function; 5],
    null_object: Term,
    /// The end of a list that ends at no link.
    pub nowhere: Term,
    pub fields: Vec<LinkField>,
}

/// The widths of accesses.
pub const WIDTHS: [u8; 5] = [1, 2, 4, 8, 16];

impl Vocabulary {
    /// The words for some link fields, each a structure, an offset and a name.
    pub fn new(program: &Program, fields: &[(TypeId, i128, String)]) -> Vocabulary {
        let (pointer, object, heap) = (Sort::named("Ptr"), Sort::named("Obj"), Sort::named("Heap"));
        let pointer_bytes = pointer_bytes(program) as u8;
        let function = |name: &str, args: &[&Sort], result: &Sort| {
            Function::new(name, args.iter().map(|sort| (*sort).clone()).collect(), result.clone())
        };
        let link_field = |(owner, offset, name): &(TypeId, i128, String)| LinkField {
            owner: *owner,
            offset: *offset,
            link: function(&format!("link.{name}"), &[&heap, &pointer], &Sort::Bool),
            next: function(&format!("next.{name}"), &[&heap, &pointer], &pointer),
            reach: function(&format!("reach.{name}"), &[&heap, &pointer, &pointer], &Sort::Bool),
            block: function(&format!("block.{name}"), &[&heap, &pointer], &pointer),
        };
        Vocabulary {
            obj: function("obj", &[&pointer], &object),
            off: function("off", &[&pointer], &Sort::Int),
            ptr: function("ptr", &[&object, &Sort::Int], &pointer),
            plus: function("plus", &[&pointer, &Sort::Int], &pointer),
            num: function("num", &[&pointer], &Sort::Int),
            size: function("size", &[&object], &Sort::Int),
            alloc: function("alloc", &[&heap, &object], &Sort::Bool),
            blocking: function("bs", &[&heap, &pointer], &Sort::Bool),
            mem: WIDTHS.map(|width| {
                let content = if width == pointer_bytes { &pointer } else { &Sort::Int };
                function(&format!("mem{width}"), &[&heap, &pointer], content)
            }),
            null_object: Term::var("null", object.clone()),
            nowhere: Term::var("nowhere", pointer.clone()),
            fields: fields.iter().map(link_field).collect(),
            pointer,
            object,
            heap,
            pointer_bytes,
        }
    }

    /// The object of a pointer.
    pub fn obj(&self, pointer: &Term) -> Term {
        self.obj.apply([pointer.clone()])
    }

    /// The offset of a pointer.
    pub fn off(&self, pointer: &Term) -> Term {
        self.off.apply([pointer.clone()])
    }

    /// The pointer of an object and an offset.
    pub fn ptr(&self, object: Term, offset: Term) -> Term {
        self.ptr.apply([object, offset])
    }

    /// A pointer some bytes further on.
    pub fn plus(&self, pointer: &Term, bytes: Term) -> Term {
        if bytes.as_int() == Some(0) { pointer.clone() } else { self.plus.apply([pointer.clone(), bytes]) }
    }

    /// The null object: that of integers.
    pub fn null_object(&self) -> Term {
        self.null_object.clone()
    }

    /// An integer as a pointer.
    pub fn from_int(&self, number: Term) -> Term {
        self.ptr(self.null_object(), number)
    }

    /// The null pointer.
    pub fn null(&self) -> Term {
        self.from_int(Term::int(0))
    }

    /// A pointer as a number; known only for integers.
    pub fn num(&self, pointer: &Term) -> Term {
        self.num.apply([pointer.clone()])
    }

    /// The size of an object.
    pub fn size(&self, object: &Term) -> Term {
        self.size.apply([object.clone()])
    }

    /// An object is allocated.
    pub fn is_alloc(&self, heap: &Term, object: &Term) -> Term {
        self.alloc.apply([heap.clone(), object.clone()])
    }

    /// A pointer is blocking.
    pub fn is_blocking(&self, heap: &Term, pointer: &Term) -> Term {
        self.blocking.apply([heap.clone(), pointer.clone()])
    }

    /// The content of some bytes; none for a width that no access has.
    pub fn mem(&self, heap: &Term, width: u8, pointer: &Term) -> Option<Term> {
        let index = WIDTHS.iter().position(|known| *known == width)?;
        Some(self.mem[index].apply([heap.clone(), pointer.clone()]))
    }

    /// Some bytes lie inside one allocated object.
    pub fn is_valid(&self, heap: &Term, pointer: &Term, bytes: i128) -> Term {
        let object = self.obj(pointer);
        let end = Term::int_add(self.off(pointer), Term::int(bytes));
        Term::and([
            self.is_alloc(heap, &object),
            Term::int_le(Term::int(0), self.off(pointer)),
            Term::int_le(end, self.size(&object)),
        ])
    }

    /// What always holds of pointers and memory.
    pub fn axioms(&self) -> Vec<Term> {
        let mut axioms = self.pairs();
        axioms.extend(self.memory());
        axioms
    }

    /// What holds of lists in a heap. It is said of heaps of which nothing else is known; for those that a step of the
    /// program makes, it follows from the step.
    pub fn laws(&self, heap: &Term) -> Vec<Term> {
        self.fields.iter().flat_map(|field| self.reachability(field, heap)).collect()
    }

    /// Pairs of object and offset (figure 10), and sums.
    fn pairs(&self) -> Vec<Term> {
        let (p, o) = (Term::bound(1, self.pointer.clone()), Term::bound(2, self.object.clone()));
        let (i, j) = (Term::bound(3, Sort::Int), Term::bound(4, Sort::Int));
        let all = Term::forall;
        let pair = self.ptr(o.clone(), i.clone());
        let sum = self.plus.apply([p.clone(), i.clone()]);
        let sums = self.plus.apply([sum.clone(), j.clone()]);
        let both = self.plus.apply([p.clone(), Term::int_add(i.clone(), j.clone())]);
        let whole = self.ptr(self.obj(&p), self.off(&p));
        let limit = 1i128 << (8 * u32::from(self.pointer_bytes) - 1);
        let number = self.num(&p);
        vec![
            all(vec![p.clone()], vec![vec![self.off(&p)]], Term::eq(whole, p.clone())),
            all(vec![o.clone(), i.clone()], vec![vec![pair.clone()]], Term::eq(self.obj(&pair), o.clone())),
            all(vec![o, i.clone()], vec![vec![pair.clone()]], Term::eq(self.off(&pair), i.clone())),
            all(vec![p.clone(), i.clone()], vec![vec![sum.clone()]], Term::eq(self.obj(&sum), self.obj(&p))),
            all(
                vec![p.clone(), i.clone()],
                vec![vec![sum.clone()]],
                Term::eq(self.off(&sum), Term::int_add(self.off(&p), i.clone())),
            ),
            all(vec![p.clone(), i.clone(), j], vec![vec![sums.clone()]], Term::eq(sums, both)),
            all(
                vec![p.clone(), i.clone()],
                vec![vec![sum.clone()]],
                Term::or([Term::ne(i, Term::int(0)), Term::eq(sum, p.clone())]),
            ),
            all(
                vec![p.clone()],
                vec![vec![number.clone()]],
                Term::and([
                    Term::implies(Term::eq(self.obj(&p), self.null_object()), Term::eq(number.clone(), self.off(&p))),
                    Term::int_le(Term::int(-limit), number.clone()),
                    Term::int_lt(number, Term::int(limit)),
                ]),
            ),
        ]
    }

    fn memory(&self) -> Vec<Term> {
        let (h, p, o) = (
            Term::bound(1, self.heap.clone()),
            Term::bound(2, self.pointer.clone()),
            Term::bound(3, self.object.clone()),
        );
        let nowhere = self.obj(&self.nowhere);
        let size = self.size(&o);
        let mut axioms = vec![
            Term::ne(nowhere.clone(), self.null_object()),
            Term::forall(
                vec![h.clone()],
                vec![vec![self.is_alloc(&h, &self.null_object())]],
                self.is_alloc(&h, &self.null_object()).not(),
            ),
            Term::forall(vec![h.clone()], vec![vec![self.is_alloc(&h, &nowhere)]], self.is_alloc(&h, &nowhere).not()),
            Term::forall(
                vec![h.clone()],
                vec![vec![self.is_blocking(&h, &self.nowhere)]],
                self.is_blocking(&h, &self.nowhere).not(),
            ),
            Term::forall(
                vec![o],
                vec![vec![size.clone()]],
                Term::and([Term::int_le(Term::int(0), size.clone()), Term::int_le(size, Term::int(LARGEST))]),
            ),
        ];
        for width in WIDTHS {
            if width == self.pointer_bytes {
                continue;
            }
            if let (Some(content), Some(limit)) = (self.mem(&h, width, &p), limit(width)) {
                let range =
                    [Term::int_le(Term::int(-limit), content.clone()), Term::int_lt(content.clone(), Term::int(limit))];
                axioms.push(Term::forall(vec![h.clone(), p.clone()], vec![vec![content]], Term::and(range)));
            }
        }
        axioms
    }

    /// The axioms of figure 11, with lists that may end at a cell that is no link.
    fn reachability(&self, field: &LinkField, h: &Term) -> Vec<Term> {
        let [x, y, z] = [2, 3, 4].map(|number| Term::bound(number, self.pointer.clone()));
        let reach = |a: &Term, b: &Term| field.reach.apply([h.clone(), a.clone(), b.clone()]);
        let next = field.next.apply([h.clone(), x.clone()]);
        let link = field.link.apply([h.clone(), x.clone()]);
        let block = |a: &Term| field.block.apply([h.clone(), a.clone()]);
        let blocking = |a: &Term| self.is_blocking(h, a);
        let law = |vars: &[&Term], triggers: Vec<Vec<Term>>, body: Term| {
            Term::forall(vars.iter().map(|var| (*var).clone()).collect(), triggers, body)
        };
        let cell = self.plus(&x, Term::int(field.offset));
        let content = self.mem(h, self.pointer_bytes, &cell).expect("a pointer has a width");
        let width = i128::from(self.pointer_bytes);
        let (xy, yx, yz, xz) = (reach(&x, &y), reach(&y, &x), reach(&y, &z), reach(&x, &z));
        vec![
            // Links are cells of allocated objects, and hold what they lead to.
            law(&[&x], vec![vec![link.clone()]], Term::implies(link.clone(), self.is_valid(h, &cell, width))),
            law(
                &[&x],
                vec![vec![next.clone()], vec![content.clone()]],
                Term::implies(link.clone(), Term::eq(next.clone(), content)),
            ),
            // Reflexivity, antisymmetry, transitivity, ordering.
            law(&[&x, &y], vec![vec![xy.clone()]], reach(&x, &x)),
            law(&[&x, &y], vec![vec![xy.clone(), yx.clone()]], Term::or([xy.clone().not(), yx.not(), Term::eq(x.clone(), y.clone())])),
            law(
                &[&x, &y, &z],
                vec![vec![xy.clone(), yz.clone()]],
                Term::or([xy.clone().not(), yz.clone().not(), xz.clone()]),
            ),
            law(
                &[&x, &y, &z],
                vec![vec![xy.clone(), xz.clone()]],
                Term::or([xy.clone().not(), xz.not(), yz, reach(&z, &y)]),
            ),
            // One step.
            law(
                &[&x],
                vec![vec![next.clone()]],
                Term::or([link.clone().not(), blocking(&next), reach(&x, &next)]),
            ),
            law(
                &[&x, &z],
                vec![vec![reach(&x, &z), next.clone()]],
                Term::or([
                    reach(&x, &z).not(),
                    Term::eq(x.clone(), z.clone()),
                    Term::and([link.clone(), blocking(&next).not(), reach(&next, &z)]),
                ]),
            ),
            law(
                &[&x, &z],
                vec![vec![reach(&x, &z)]],
                Term::or([reach(&x, &z).not(), Term::eq(x.clone(), z.clone()), link.clone()]),
            ),
            // Lists are well founded.
            law(
                &[&x],
                vec![vec![reach(&next, &x)]],
                Term::or([link.clone().not(), reach(&next, &x).not(), blocking(&next)]),
            ),
            law(
                &[&x, &y],
                vec![vec![xy.clone(), blocking(&y)]],
                Term::or([xy.clone().not(), blocking(&y).not(), Term::eq(x.clone(), y.clone())]),
            ),
            // What stops a list.
            law(
                &[&x],
                vec![vec![next.clone()]],
                Term::or([link.clone().not(), blocking(&next).not(), Term::eq(block(&x), next.clone())]),
            ),
            law(
                &[&x],
                vec![vec![block(&x)]],
                Term::or([Term::eq(block(&x), self.nowhere.clone()), blocking(&block(&x))]),
            ),
            law(&[&x, &y], vec![vec![xy.clone()]], Term::implies(xy, Term::eq(block(&x), block(&y)))),
            law(
                &[&x],
                vec![vec![block(&x)], vec![link.clone()]],
                Term::or([link, Term::eq(block(&x), self.nowhere.clone())]),
            ),
        ]
    }
}

/// Half the number of values of some bytes.
pub fn limit(bytes: u8) -> Option<i128> {
    (bytes < 16).then(|| 1i128 << (8 * u32::from(bytes) - 1))
}

/// An integer brought into the range of a number with sign of some bits, as the machine does.
pub fn wrapped(number: Term, bits: u32) -> Term {
    if let Some(value) = number.as_int()
        && bits < 127
    {
        let range = 1i128 << bits;
        return Term::int((value + range / 2).rem_euclid(range) - range / 2);
    }
    let (range, half) = (Term::int(1 << bits), Term::int(1 << (bits - 1)));
    let moved = Term::op(Op::IntMod, [Term::int_add(number, half.clone()), range]);
    Term::int_sub(moved, half)
}

/// A number with sign read as one without.
pub fn unsigned(number: Term, bits: u32) -> Term {
    match number.as_int() {
        Some(value) if value >= 0 => number,
        _ => Term::ite(
            Term::int_lt(number.clone(), Term::int(0)),
            Term::int_add(number.clone(), Term::int(1 << bits)),
            number,
        ),
    }
}
