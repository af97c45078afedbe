//! Names of properties and classes, property files, and the ledger.

use heapproof_verdict::{
    Assumption, AssumptionKind, ErrorClass, Ledger, NoteKind, ParsePropertyError, Property, PropertySet,
    parse_prp,
};

#[test]
fn every_class_is_read_back_from_its_name() {
    for class in ErrorClass::ALL {
        assert_eq!(class.name().parse(), Ok(class));
        let json = serde_json::to_string(&class).expect("plain data");
        assert_eq!(json, format!("\"{class}\""));
    }
    assert!("use-after-lunch".parse::<ErrorClass>().is_err());
}

#[test]
fn properties_are_named_alone_or_together() {
    let set: PropertySet = "memsafety".parse().expect("a property");
    assert_eq!(set, PropertySet::memsafety());
    let set: PropertySet = "memsafety+assertions".parse().expect("two properties");
    assert_eq!(set.members, PropertySet::default_of_check().members);
    let set: PropertySet = "valid-free,unreach-call".parse().expect("two properties");
    assert!(set.has(Property::ValidFree) && set.has(Property::UnreachCall) && !set.has(Property::ValidDeref));
    assert_eq!(
        "termination".parse::<PropertySet>(),
        Err(ParsePropertyError::Unknown("termination".to_owned()))
    );
}

#[test]
fn property_files_of_the_competition_are_read() {
    let text = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\n\
                CHECK( init(main()), LTL(G valid-memtrack) )\n";
    let set = parse_prp("MemSafety.prp", text).expect("three properties");
    // Overlapping copies are ours, not the competition's.
    assert_eq!(set.members, [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack]);
    let reach = parse_prp("r.prp", "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )").expect("one");
    assert_eq!(reach.members, [Property::UnreachCall]);
    let other = parse_prp("t.prp", "CHECK( init(main()), LTL(F end) )");
    assert!(matches!(other, Err(ParsePropertyError::Unsupported { line: 1, .. })), "{other:?}");
    assert_eq!(parse_prp("e.prp", "\n"), Err(ParsePropertyError::Empty));
}

#[test]
fn a_ledger_is_sorted_without_repetition_and_knows_what_blocks() {
    let assumption = |subject: &str, accepted| Assumption {
        kind: AssumptionKind::ExternalFunction,
        subject: subject.to_owned(),
        location: None,
        accepted,
    };
    let mut ledger = Ledger::default();
    for subject in ["zap", "foo", "zap"] {
        ledger.assume(assumption(subject, false));
        ledger.note(NoteKind::Model, subject);
    }
    ledger.assume(assumption("accepted", true));
    let mut other = Ledger::default();
    other.assume(assumption("bar", false));
    ledger.absorb(other);
    let blocking: Vec<_> = ledger.blocking().map(|a| a.subject.as_str()).collect();
    assert_eq!(blocking, ["bar", "foo", "zap"]);
    assert_eq!(ledger.notes.len(), 2);
}
