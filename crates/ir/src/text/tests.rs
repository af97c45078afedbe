//! Tests of the printer and the parser.
