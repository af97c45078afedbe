//! `heapproof explain`: what an error class means.

use super::Status;
use super::args::Explain;
use super::output::{complain, out};
use heapproof_report::explain;
use heapproof_verdict::ErrorClass;

/// Prints one explanation, or the list of all classes.
pub fn main(args: Explain) -> Status {
    let Some(name) = args.class else {
        return if out(explain::list().as_bytes()) { Status::Safe } else { Status::WrongUse };
    };
    match name.parse::<ErrorClass>() {
        Ok(class) if out(explain::render(class).as_bytes()) => Status::Safe,
        Ok(_) => Status::WrongUse,
        Err(error) => {
            match explain::nearest(&name) {
                Some(class) => complain(format_args!("{error}; did you mean `{class}`?")),
                None => complain(format_args!("{error}; `heapproof explain` lists all classes")),
            }
            Status::WrongUse
        }
    }
}
