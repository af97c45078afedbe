//! The formats of the `printf` and `scanf` families, taken apart.

/// The size of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Length {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    /// `size_t`, `ptrdiff_t`.
    Word,
    LongDouble,
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// Written in the format.
    Given(usize),
    /// `*`: an argument.
    Argument,
    /// `*2$`: the argument with this number, from 1.
    Numbered(usize),
}

/// A conversion of `printf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Conversion {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: Option<Number>,
    pub precision: Option<Number>,
    pub length: Length,
    /// The number of its argument, from 1, if it has one (`%2$d`).
    pub position: Option<usize>,
    /// The letter.
    pub letter: u8,
}

/// A part of a format of `printf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Characters that are written as they are.
    Text(Vec<u8>),
    /// A conversion.
    Conversion(Conversion),
    /// An unfinished conversion, or one that is not modelled.
    Other(u8),
}

/// Takes a format of `printf` apart.
pub fn print_pieces(format: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            text.push(format[at]);
            at += 1;
            continue;
        }
        if format.get(at + 1) == Some(&b'%') {
            text.push(b'%');
            at += 2;
            continue;
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        at += 1;
        pieces.push(print_conversion(format, &mut at));
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

fn print_conversion(format: &[u8], at: &mut usize) -> Piece {
    let mut found = Conversion {
        left: false,
        plus: false,
        space: false,
        alternate: false,
        zero: false,
        width: None,
        precision: None,
        length: Length::Int,
        position: position(format, at),
        letter: 0,
    };
    while let Some(flag) = format.get(*at) {
        match flag {
            b'-' => found.left = true,
            b'+' => found.plus = true,
            b' ' => found.space = true,
            b'#' => found.alternate = true,
            b'0' => found.zero = true,
            // How digits are grouped depends on the locale.
            b'\'' => return Piece::Other(b'\''),
            _ => break,
        }
        *at += 1;
    }
    found.width = number(format, at);
    if format.get(*at) == Some(&b'.') {
        *at += 1;
        found.precision = number(format, at).or(Some(Number::Given(0)));
    }
    found.length = length(format, at);
    let Some(letter) = format.get(*at) else { return Piece::Other(0) };
    *at += 1;
    found.letter = *letter;
    if *letter == b'%' { Piece::Text(vec![b'%']) } else { Piece::Conversion(found) }
}

/// The number of an argument: digits and `$`.
fn position(format: &[u8], at: &mut usize) -> Option<usize> {
    let digits = format[(*at).min(format.len())..].iter().take_while(|c| c.is_ascii_digit()).count();
    let end = *at + digits;
    if digits == 0 || digits > 4 || format.get(end) != Some(&b'$') {
        return None;
    }
    let number = format[*at..end].iter().fold(0, |number, c| number * 10 + usize::from(c - b'0'));
    *at = end + 1;
    Some(number).filter(|number| *number > 0)
}

fn number(format: &[u8], at: &mut usize) -> Option<Number> {
    if format.get(*at) == Some(&b'*') {
        *at += 1;
        return Some(position(format, at).map_or(Number::Argument, Number::Numbered));
    }
    let start = *at;
    let mut value = 0usize;
    while let Some(digit) = format.get(*at).filter(|c| c.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *at += 1;
    }
    (*at > start).then_some(Number::Given(value.min(1 << 30)))
}

fn length(format: &[u8], at: &mut usize) -> Length {
    let (length, used) = match &format[(*at).min(format.len())..] {
        [b'h', b'h', ..] => (Length::Char, 2),
        [b'h', ..] => (Length::Short, 1),
        [b'l', b'l', ..] => (Length::LongLong, 2),
        [b'l', ..] => (Length::Long, 1),
        [b'q' | b'j', ..] => (Length::LongLong, 1),
        [b'z' | b't' | b'Z', ..] => (Length::Word, 1),
        [b'L', ..] => (Length::LongDouble, 1),
        _ => (Length::Int, 0),
    };
    *at += used;
    length
}

/// What a conversion of `scanf` takes from its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// An integer in a base; 0 as C writes it, 16 also for `%p`.
    Integer {
        /// The base.
        base: u32,
        /// It has a sign.
        signed: bool,
    },
    /// A floating point number.
    Float,
    /// Characters up to white space, and a NUL.
    Word,
    /// Characters of a set, and a NUL.
    Set {
        /// The set.
        set: Vec<u8>,
        /// All others are meant.
        inverted: bool,
    },
    /// As many characters as the width says, without a NUL.
    Chars,
    /// Nothing: the number of characters taken so far is stored.
    Position,
}

/// A conversion of `scanf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// What it takes.
    pub taken: Taken,
    /// `*`: it is not stored.
    pub dropped: bool,
    /// At most so many characters.
    pub width: Option<usize>,
    /// The size of what is stored.
    pub length: Length,
    /// `%p`: a pointer is stored.
    pub pointer: bool,
}

/// A part of a format of `scanf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanPiece {
    /// Any amount of white space.
    Space,
    /// This character.
    Char(u8),
    /// A conversion.
    Scan(Scan),
}

/// Takes a format of `scanf` apart; none if something in it is not modelled.
pub fn scan_pieces(format: &[u8]) -> Option<Vec<ScanPiece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(byte) = format.get(at).copied() {
        at += 1;
        if crate::CharClass::Space.holds(byte) {
            pieces.push(ScanPiece::Space);
        } else if byte != b'%' {
            pieces.push(ScanPiece::Char(byte));
        } else if format.get(at) == Some(&b'%') {
            at += 1;
            // `%%` skips white space first.
            pieces.extend([ScanPiece::Space, ScanPiece::Char(b'%')]);
        } else {
            pieces.push(ScanPiece::Scan(scan_conversion(format, &mut at)?));
        }
    }
    Some(pieces)
}

fn scan_conversion(format: &[u8], at: &mut usize) -> Option<Scan> {
    let dropped = format.get(*at) == Some(&b'*');
    *at += usize::from(dropped);
    let width = match number(format, at) {
        Some(Number::Given(width)) => Some(width),
        Some(Number::Argument | Number::Numbered(_)) => return None,
        None => None,
    };
    let length = length(format, at);
    let letter = *format.get(*at)?;
    *at += 1;
    let (taken, pointer) = match letter {
        b'd' => (Taken::Integer { base: 10, signed: true }, false),
        b'i' => (Taken::Integer { base: 0, signed: true }, false),
        b'u' => (Taken::Integer { base: 10, signed: false }, false),
        b'o' => (Taken::Integer { base: 8, signed: false }, false),
        b'x' | b'X' => (Taken::Integer { base: 16, signed: false }, false),
        b'p' => (Taken::Integer { base: 16, signed: false }, true),
        b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => (Taken::Float, false),
        b's' if length == Length::Int => (Taken::Word, false),
        b'c' if length == Length::Int => (Taken::Chars, false),
        b'n' => (Taken::Position, false),
        b'[' if length == Length::Int => (scan_set(format, at)?, false),
        _ => return None,
    };
    Some(Scan { taken, dropped, width, length, pointer })
}

/// The set of `%[…]`; the opening bracket is gone.
fn scan_set(format: &[u8], at: &mut usize) -> Option<Taken> {
    let inverted = format.get(*at) == Some(&b'^');
    *at += usize::from(inverted);
    let start = *at;
    // A bracket at the start belongs to the set.
    let rest = format.get(start + 1..)?;
    let end = start + 1 + rest.iter().position(|byte| *byte == b']')?;
    *at = end + 1;
    let mut set = Vec::new();
    let mut inside = format[start..end].iter().copied().peekable();
    while let Some(byte) = inside.next() {
        let mut ahead = inside.clone();
        match (ahead.next(), ahead.next()) {
            (Some(b'-'), Some(last)) if last >= byte => {
                set.extend(byte..=last);
                inside = ahead;
            }
            _ => set.push(byte),
        }
    }
    Some(Taken::Set { set, inverted })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_printf() {
        let pieces = print_pieces(b"a%%b%-5.*ld!");
        assert_eq!(pieces[0], Piece::Text(b"a%b".to_vec()));
        let Piece::Conversion(found) = &pieces[1] else { panic!("{pieces:?}") };
        assert!(found.left && found.letter == b'd' && found.length == Length::Long);
        assert_eq!((found.width, found.precision), (Some(Number::Given(5)), Some(Number::Argument)));
        assert_eq!(pieces[2], Piece::Text(b"!".to_vec()));
        let Piece::Conversion(found) = &print_pieces(b"%2$*1$d")[0] else { panic!("no conversion") };
        assert_eq!((found.position, found.width), (Some(2), Some(Number::Numbered(1))));
        assert_eq!(print_pieces(b"100%"), [Piece::Text(b"100".to_vec()), Piece::Other(0)]);
    }

    #[test]
    fn formats_of_scanf() {
        let pieces = scan_pieces(b"%d ,%*3s%[a-c^]").unwrap();
        assert_eq!(pieces.len(), 5);
        assert_eq!((&pieces[1], &pieces[2]), (&ScanPiece::Space, &ScanPiece::Char(b',')));
        let ScanPiece::Scan(word) = &pieces[3] else { panic!("{pieces:?}") };
        assert!(word.dropped && word.width == Some(3) && word.taken == Taken::Word);
        let ScanPiece::Scan(set) = &pieces[4] else { panic!("{pieces:?}") };
        assert_eq!(set.taken, Taken::Set { set: b"abc^".to_vec(), inverted: false });
        assert_eq!(scan_pieces(b"%ms"), None);
        assert_eq!(scan_pieces(b"%["), None);
    }
}
