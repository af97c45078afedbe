//! The types of the grid.

use super::leaf::{Content, Leaf};

/// A type with the scalars that its values consist of.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name in the program, which says what it is.
    pub name: String,
    /// Its declaration; declares `name`.
    pub declaration: String,
    /// The scalars; of a union, those of each member.
    pub alternatives: Vec<Vec<Leaf>>,
    pub shape: Shape,
    /// What `va_arg` has to ask for, where it is another type.
    pub promoted: Option<&'static str>,
    /// gcc 12 knows it.
    pub gcc: bool,
    /// It exists where `long` has 32 bits.
    pub ilp32: bool,
    /// Its bytes are determined by its scalars and by the zeros that were there before.
    pub plain_bytes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Numbers that `+ 1` and `!` are defined for.
    Arithmetic,
    /// Pointers.
    Pointer,
    /// Complex numbers and vectors.
    Compound,
    /// Structures and unions.
    Record,
    /// Arrays: no value can be assigned or passed.
    Array,
}

use Content::{
    Choice, Complex, Flag, Function, Integer, Node, Pointer, Real, RealVector, Vector, WholeComplex, Wide,
};

fn base(name: &str, declaration: String, alternatives: Vec<Vec<Leaf>>, shape: Shape) -> Type {
    Type {
        name: name.to_owned(),
        declaration,
        alternatives,
        shape,
        promoted: None,
        gcc: true,
        ilp32: true,
        plain_bytes: true,
    }
}

fn leaf(path: &str, c: &str, content: Content) -> Leaf {
    Leaf { path: path.to_owned(), c: c.to_owned(), content }
}

/// A type that is one scalar.
fn scalar(name: &str, c: &str, content: Content, shape: Shape) -> Type {
    let declaration = match c.contains('@') {
        true => format!("typedef {};\n", c.replace('@', name)),
        false => format!("typedef {c} {name};\n"),
    };
    base(name, declaration, vec![vec![leaf("", name, content)]], shape)
}

/// The code of a member's type in the short names below.
fn coded(code: &str) -> (&'static str, Content) {
    match code {
        "bool" => ("_Bool", Flag),
        "char" => ("char", Integer),
        "uchar" => ("unsigned char", Integer),
        "short" => ("short", Integer),
        "ushort" => ("unsigned short", Integer),
        "int" => ("int", Integer),
        "uint" => ("unsigned", Integer),
        "long" => ("long", Integer),
        "llong" => ("long long", Integer),
        "ullong" => ("unsigned long long", Integer),
        "int128" => ("__int128", Wide(128)),
        "float" => ("float", Real),
        "double" => ("double", Real),
        "ldouble" => ("long double", Real),
        "cfloat" => ("float _Complex", Complex),
        "cdouble" => ("double _Complex", Complex),
        "ptr" => ("int *", Pointer),
        "node" => ("struct node *", Node),
        "v8" => ("vector8", Vector(2)),
        "v16" => ("vector16", RealVector(4)),
        other => unreachable!("{other} is no code of a type"),
    }
}

/// A structure whose members have these types: `s_int_float`.
fn record(codes: &[&str]) -> Type {
    let mut members = String::new();
    let mut leaves = Vec::new();
    for (index, code) in codes.iter().enumerate() {
        let (c, content) = coded(code);
        members += &format!("{c} m{index}; ");
        leaves.push(leaf(&format!(".m{index}"), c, content));
    }
    let mut name = format!("s_{}", codes.join("_"));
    if codes.len() > 3 {
        name = format!("s_{}_{}", codes.len(), codes[0]);
    }
    let declaration = format!("typedef struct {{ {members}}} {name};\n");
    let mut made = base(&name, declaration, vec![leaves], Shape::Record);
    made.ilp32 = !codes.iter().any(|code| matches!(*code, "int128" | "v8" | "v16"));
    made.plain_bytes = codes.iter().all(|code| !matches!(*code, "ldouble" | "ptr" | "node"));
    made
}

/// A type by its declaration and its scalars, `path type` separated by commas; alternatives by `|`.
fn special(name: &str, declaration: &str, scalars: &str, shape: Shape) -> Type {
    let mut plain = true;
    let mut wide = false;
    let alternative = |text: &str| -> Vec<Leaf> {
        text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(part).collect()
    };
    fn part(text: &str) -> Leaf {
        let (path, code) = text.split_once(' ').expect("a path and a type");
        match code {
            "fn" => leaf(path, "int (*)(int)", Function),
            "enum" => leaf(path, "enum colour", Choice),
            _ => {
                let (c, content) = coded(code);
                leaf(path, c, content)
            }
        }
    }
    for code in scalars.split([',', '|']).filter_map(|part| part.trim().split_once(' ')).map(|(_, c)| c) {
        plain &= !matches!(code, "ldouble" | "ptr" | "node" | "fn");
        wide |= matches!(code, "int128" | "v8" | "v16");
    }
    let alternatives: Vec<Vec<Leaf>> = scalars.split('|').map(alternative).collect();
    plain &= alternatives.len() == 1;
    let mut made = base(name, format!("{}\n", declaration.replace('@', name)), alternatives, shape);
    made.plain_bytes = plain;
    made.ilp32 = !wide;
    made
}

/// Declarations that several types use.
pub const SHARED: &str = "enum colour { RED, GREEN, BLUE };
typedef int vector8 __attribute__((vector_size(8)));
typedef float vector16 __attribute__((vector_size(16)));
#define PACKED __attribute__((packed))
";

fn scalars() -> Vec<Type> {
    let mut types = Vec::new();
    for (name, c, promoted) in [
        ("t_char", "char", Some("int")),
        ("t_schar", "signed char", Some("int")),
        ("t_uchar", "unsigned char", Some("int")),
        ("t_short", "short", Some("int")),
        ("t_ushort", "unsigned short", Some("int")),
        ("t_int", "int", None),
        ("t_uint", "unsigned", None),
        ("t_long", "long", None),
        ("t_ulong", "unsigned long", None),
        ("t_llong", "long long", None),
        ("t_ullong", "unsigned long long", None),
    ] {
        types.push(Type { promoted, ..scalar(name, c, Integer, Shape::Arithmetic) });
    }
    types.push(Type { promoted: Some("int"), ..scalar("t_bool", "_Bool", Flag, Shape::Arithmetic) });
    for (name, c) in [("t_int128", "__int128"), ("t_uint128", "unsigned __int128")] {
        types.push(Type { ilp32: false, ..scalar(name, c, Wide(128), Shape::Arithmetic) });
    }
    // Wider ones clang 19 itself passes wrongly.
    for bits in [2, 7, 8, 13, 17, 24, 32, 33, 48, 63, 64, 65, 100, 128] {
        for (prefix, sign) in [("", ""), ("u", "unsigned ")] {
            let content = if bits > 64 { Wide(bits) } else { Integer };
            let (name, c) = (format!("t_{prefix}bits{bits}"), format!("{sign}_BitInt({bits})"));
            types.push(Type {
                gcc: false,
                // With 32 bits clang passes wide ones by address and `va_arg` does not take them so.
                ilp32: bits <= 64,
                // Bits beyond the width are not specified.
                plain_bytes: false,
                ..scalar(&name, &c, content, Shape::Arithmetic)
            });
        }
    }
    types.push(Type { promoted: Some("double"), ..scalar("t_float", "float", Real, Shape::Arithmetic) });
    types.push(scalar("t_double", "double", Real, Shape::Arithmetic));
    types.push(Type { plain_bytes: false, ..scalar("t_ldouble", "long double", Real, Shape::Arithmetic) });
    types.push(Type { ilp32: false, ..scalar("t_float16", "_Float16", Real, Shape::Arithmetic) });
    types.push(Type { ilp32: false, ..scalar("t_float128", "__float128", Real, Shape::Arithmetic) });
    for (name, c) in [
        ("t_cfloat", "float _Complex"),
        ("t_cdouble", "double _Complex"),
        ("t_cldouble", "long double _Complex"),
    ] {
        types.push(Type { plain_bytes: false, ..scalar(name, c, Complex, Shape::Compound) });
    }
    types.push(scalar("t_cint", "int _Complex", WholeComplex, Shape::Compound));
    types.push(scalar("t_cshort", "short _Complex", WholeComplex, Shape::Compound));
    types.push(scalar("t_enum", "enum colour", Choice, Shape::Arithmetic));
    types.push(scalar("t_enum_negative", "enum { @_A = -5, @_B = 1, @_C } @", Choice, Shape::Arithmetic));
    types.push(scalar(
        "t_enum_long",
        "enum { @_A = 0x7fffffffffll, @_B = 1, @_C } @",
        Choice,
        Shape::Arithmetic,
    ));
    types.push(Type {
        promoted: Some("int"),
        ..scalar("t_enum_packed", "enum PACKED { @_A, @_B, @_C } @", Choice, Shape::Arithmetic)
    });
    for (name, c, content) in [
        ("t_ptr", "int *@", Pointer),
        ("t_const_ptr", "const int *@", Pointer),
        ("t_void_ptr", "void *@", Pointer),
        ("t_node_ptr", "struct node *@", Node),
        ("t_function", "int (*@)(int)", Function),
    ] {
        types.push(Type { plain_bytes: false, ..scalar(name, c, content, Shape::Pointer) });
    }
    for (name, element, size, content) in [
        ("t_v2char", "char", 2, Vector(2)),
        ("t_v4char", "signed char", 4, Vector(4)),
        ("t_v8char", "unsigned char", 8, Vector(8)),
        ("t_v16char", "char", 16, Vector(16)),
        ("t_v2short", "short", 4, Vector(2)),
        ("t_v4short", "short", 8, Vector(4)),
        ("t_v1int", "int", 4, Vector(1)),
        ("t_v2int", "int", 8, Vector(2)),
        ("t_v4uint", "unsigned", 16, Vector(4)),
        ("t_v1long", "long long", 8, Vector(1)),
        ("t_v2long", "long long", 16, Vector(2)),
        ("t_v2float", "float", 8, RealVector(2)),
        ("t_v4float", "float", 16, RealVector(4)),
        ("t_v1double", "double", 8, RealVector(1)),
        ("t_v2double", "double", 16, RealVector(2)),
        ("t_v8int", "int", 32, Vector(8)),
        ("t_v4double", "double", 32, RealVector(4)),
    ] {
        let c = format!("{element} @ __attribute__((vector_size({size})))");
        // Vectors that no register of the basic processor holds have different alignments; with 32 bits the compilers do not agree
        // on how vectors are passed.
        types.push(Type { gcc: size <= 16, ilp32: false, ..scalar(name, &c, content, Shape::Compound) });
    }
    types
}

fn records() -> Vec<Type> {
    let mut types = Vec::new();
    for (code, most) in [
        ("char", 19),
        ("bool", 3),
        ("short", 9),
        ("int", 5),
        ("llong", 3),
        ("int128", 2),
        ("float", 6),
        ("double", 4),
        ("ldouble", 2),
        ("cfloat", 3),
        ("cdouble", 2),
        ("ptr", 3),
        ("node", 3),
        ("v8", 3),
        ("v16", 2),
    ] {
        types.extend((1..=most).map(|count| record(&vec![code; count])));
    }
    let mixed =
        ["bool", "char", "ushort", "int", "llong", "float", "double", "ldouble", "ptr", "int128", "cfloat"];
    for first in mixed {
        types.extend(mixed.iter().filter(|second| **second != first).map(|second| record(&[first, second])));
    }
    for triple in [
        ["char", "int", "char"],
        ["int", "float", "float"],
        ["float", "float", "int"],
        ["float", "int", "double"],
        ["double", "char", "bool"],
        ["ptr", "char", "float"],
        ["short", "short", "int"],
        ["char", "llong", "char"],
        ["float", "double", "float"],
        ["bool", "bool", "float"],
        ["llong", "double", "ptr"],
        ["char", "short", "float"],
    ] {
        types.push(record(&triple));
    }
    types
}

fn specials() -> Vec<Type> {
    let record = |name: &str, declaration: &str, scalars: &str| {
        special(name, &format!("typedef {declaration} @;"), scalars, Shape::Record)
    };
    vec![
        record(
            "r_packed",
            "struct PACKED { char a; int b; short c; double d; }",
            ".a char,.b int,.c short,.d double",
        ),
        record("r_packed_small", "struct PACKED { char a; short b; }", ".a char,.b short"),
        record("r_packed_5", "struct PACKED { char a; int b; }", ".a char,.b int"),
        record("r_packed_float", "struct PACKED { char a; float b; }", ".a char,.b float"),
        record("r_packed_9", "struct PACKED { long long a; char b; }", ".a llong,.b char"),
        record("r_packed_ptr", "struct PACKED { char a; int *b; char c; }", ".a char,.b ptr,.c char"),
        record("r_packed_ldouble", "struct PACKED { char a; long double b; }", ".a char,.b ldouble"),
        record("r_bits", "struct { int a : 3; unsigned b : 7; int c : 22; }", ".a int,.b uint,.c int"),
        record(
            "r_bits_bool",
            "struct { _Bool a : 1; _Bool b : 1; unsigned c : 6; _Bool d; }",
            ".a bool,.b bool,.c uint,.d bool",
        ),
        record(
            "r_bits_long",
            "struct { long long a : 40; unsigned long long b : 24; long long c : 63; }",
            ".a llong,.b ullong,.c llong",
        ),
        record(
            "r_bits_zero",
            "struct { int a : 3; int : 0; int b : 5; int : 2; int c : 9; }",
            ".a int,.b int,.c int",
        ),
        record(
            "r_bits_char",
            "struct { char a : 5; unsigned char b : 4; short c : 11; char d; }",
            ".a char,.b uchar,.c short,.d char",
        ),
        record(
            "r_bits_enum",
            "struct { enum colour a : 3; unsigned b : 13; enum colour c : 2; }",
            ".a enum,.b uint,.c enum",
        ),
        record(
            "r_bits_packed",
            "struct PACKED { unsigned a : 5; long long b : 37; int c : 11; _Bool d : 1; }",
            ".a uint,.b llong,.c int,.d bool",
        ),
        record(
            "r_bits_packed_after",
            "struct PACKED { char x; int a : 17; short y; unsigned b : 30; }",
            ".x char,.a int,.y short,.b uint",
        ),
        record(
            "r_bits_wide",
            "struct { unsigned a : 32; int b : 32; long long c : 64; }",
            ".a uint,.b int,.c llong",
        ),
        record(
            "r_bits_mixed",
            "struct { float f; int a : 9; int b : 9; double d; }",
            ".f float,.a int,.b int,.d double",
        ),
        record("r_bits_one", "struct { int a : 1; }", ".a int"),
        record(
            "r_bits_many",
            "struct { unsigned a:1,b:2,c:3,d:4,e:5,f:6,g:7,h:8,i:9,j:10,k:11,l:12,m:13,n:14,o:15; }",
            ".a uint,.b uint,.c uint,.d uint,.e uint,.f uint,.g uint,.h uint,.i uint,.j uint,.k uint,.l uint,.m uint,.n uint,.o uint",
        ),
        record(
            "r_bits_packed_big",
            "struct PACKED { long long a:50,b:50,c:50; char d; long long e:3; }",
            ".a llong,.b llong,.c llong,.d char,.e llong",
        ),
        record("r_empty", "struct { }", ""),
        record("r_holds_empty", "struct { struct { } e; int a; struct { } f; }", ".a int"),
        record("r_empty_array", "struct { int a; int none[0]; }", ".a int"),
        record(
            "r_nested",
            "struct { struct { char a; short b; } x; struct { struct { int c; } y; float d; } z; }",
            ".x.a char,.x.b short,.z.y.c int,.z.d float",
        ),
        record(
            "r_nested_floats",
            "struct { struct { float a; } x; struct { float b[1]; } y; }",
            ".x.a float,.y.b[0] float",
        ),
        record(
            "r_anonymous",
            "struct { int a; struct { short b; union { float c; int e; }; }; char d; }",
            ".a int,.b short,.c float,.d char",
        ),
        record(
            "r_array_char",
            "struct { char a[5]; }",
            ".a[0] char,.a[1] char,.a[2] char,.a[3] char,.a[4] char",
        ),
        record("r_array_3", "struct { unsigned char a[3]; }", ".a[0] uchar,.a[1] uchar,.a[2] uchar"),
        record("r_array_float", "struct { float a[3]; }", ".a[0] float,.a[1] float,.a[2] float"),
        record("r_array_double", "struct { double a[2]; }", ".a[0] double,.a[1] double"),
        record(
            "r_array_mixed",
            "struct { char n; int a[2]; float f[2]; }",
            ".n char,.a[0] int,.a[1] int,.f[0] float,.f[1] float",
        ),
        record(
            "r_array_records",
            "struct { struct { short a; char b; } e[3]; }",
            ".e[0].a short,.e[0].b char,.e[1].a short,.e[1].b char,.e[2].a short,.e[2].b char",
        ),
        record(
            "r_matrix",
            "struct { short m[2][2]; }",
            ".m[0][0] short,.m[0][1] short,.m[1][0] short,.m[1][1] short",
        ),
        record("r_array_pointers", "struct { int *a[2]; int n; }", ".a[0] ptr,.a[1] ptr,.n int"),
        record("r_function", "struct { int (*f)(int); int n; }", ".f fn,.n int"),
        record("r_functions", "struct { int (*f[3])(int); }", ".f[0] fn,.f[1] fn,.f[2] fn"),
        record("r_big", "struct { int a[20]; char z; }", ".a[0] int,.a[7] int,.a[13] int,.a[19] int,.z char"),
        record(
            "r_large",
            "struct { double d; char text[200]; int *p; }",
            ".d double,.text[0] char,.text[99] char,.text[199] char,.p ptr",
        ),
        record("r_aligned", "struct __attribute__((aligned(16))) { int a; }", ".a int"),
        record("r_aligned_32", "struct { char c; int a __attribute__((aligned(32))); }", ".c char,.a int"),
        record(
            "r_aligned_member",
            "struct { char c; short a __attribute__((aligned(8))); }",
            ".c char,.a short",
        ),
        record("r_vector_int", "struct { vector8 v; int a; }", ".v v8,.a int"),
        record("r_vector_float", "struct { vector16 v; float a; }", ".v v16,.a float"),
        record("r_complex", "struct { float _Complex a; float b; }", ".a cfloat,.b float"),
        record("r_complex_double", "struct { char n; double _Complex a; }", ".n char,.a cdouble"),
        record(
            "r_union_inside",
            "struct { int tag; union { double d; int i; } u; }",
            ".tag int,.u.d double|.tag int,.u.i int",
        ),
        record("r_const_members", "struct { const char *name_; struct node *n; int *q; }", ".n node,.q ptr"),
        record("u_int_float", "union { int i; float f; }", ".i int|.f float"),
        record("u_long_double", "union { long long l; double d; }", ".l llong|.d double"),
        record("u_bytes", "union { char c[3]; short s; }", ".c[0] char,.c[1] char,.c[2] char|.s short"),
        record("u_struct", "union { struct { int a, b; } s; long long l; }", ".s.a int,.s.b int|.l llong"),
        record("u_floats", "union { float f[2]; double d; }", ".f[0] float,.f[1] float|.d double"),
        record(
            "u_floats_4",
            "union { float f[4]; struct { double a, b; } d; }",
            ".f[0] float,.f[1] float,.f[2] float,.f[3] float|.d.a double,.d.b double",
        ),
        record(
            "u_mixed",
            "union { struct { float a; int b; } m; double d; char c[11]; }",
            ".m.a float,.m.b int|.d double|.c[0] char,.c[10] char",
        ),
        record("u_ldouble", "union { long double l; int i; }", ".l ldouble|.i int"),
        record(
            "u_large",
            "union { char c[33]; double d[2]; }",
            ".c[0] char,.c[16] char,.c[32] char|.d[0] double,.d[1] double",
        ),
        record("u_pointer", "union { int *p; long l; int (*f)(int); }", ".p ptr|.l long|.f fn"),
        record(
            "u_bits",
            "union { unsigned a : 9; struct { unsigned b : 3, c : 11; } s; }",
            ".a uint|.s.b uint,.s.c uint",
        ),
        record("u_bool", "union { _Bool b; char c; }", ".b bool|.c char"),
        record("u_int128", "union { __int128 w; double d; }", ".w int128|.d double"),
        record(
            "u_vector",
            "union { vector16 v; int i[4]; }",
            ".v v16|.i[0] int,.i[1] int,.i[2] int,.i[3] int",
        ),
        record("u_empty", "union { }", ""),
        record("u_packed", "union PACKED { char c[5]; int i; }", ".c[0] char,.c[4] char|.i int"),
        special("a_char", "typedef char @[7];", "[0] char,[1] char,[6] char", Shape::Array),
        special("a_bool", "typedef _Bool @[3];", "[0] bool,[1] bool,[2] bool", Shape::Array),
        special("a_int", "typedef int @[3];", "[0] int,[1] int,[2] int", Shape::Array),
        special("a_double", "typedef double @[2];", "[0] double,[1] double", Shape::Array),
        special("a_ldouble", "typedef long double @[2];", "[0] ldouble,[1] ldouble", Shape::Array),
        special(
            "a_matrix",
            "typedef int @[2][3];",
            "[0][0] int,[0][2] int,[1][0] int,[1][1] int",
            Shape::Array,
        ),
        special(
            "a_records",
            "typedef struct { char c; int i; } @[2];",
            "[0].c char,[0].i int,[1].c char,[1].i int",
            Shape::Array,
        ),
        special("a_pointers", "typedef int *@[2];", "[0] ptr,[1] ptr", Shape::Array),
        special("a_functions", "typedef int (*@[2])(int);", "[0] fn,[1] fn", Shape::Array),
        special("a_complex", "typedef float _Complex @[2];", "[0] cfloat,[1] cfloat", Shape::Array),
        special("a_int128", "typedef __int128 @[2];", "[0] int128,[1] int128", Shape::Array),
        special("a_one", "typedef short @[1];", "[0] short", Shape::Array),
    ]
}

/// All types of the grid, always in the same order.
pub fn types() -> Vec<Type> {
    let mut types = scalars();
    types.extend(records());
    types.extend(specials());
    types
}
