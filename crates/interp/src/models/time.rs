//! Times, their parts and their text: what follows from a time is computed; the zone is a choice of the environment.

use super::Call;
use crate::api::{Source, Stop};
use crate::fault::Access;
use crate::machine::{Machine, Res};
use crate::page::Byte;
use crate::value::{ObjId, Value};
use heapproof_ir::{Target, Ty, sign_extend};
use heapproof_libc::{BROKEN_DOWN, LibraryObject, ModelKind, ResultOf};

/// The parts of a time, in the order of `struct tm`: second, minute, hour, day of the month, month, year since 1900, day of the
/// week, day of the year, whether it is summer.
type Parts = [i64; 9];

/// Zones are less than this away from the first one, in seconds.
const FARTHEST: i64 = 16 * 3600;
const DAY: i64 = 86_400;
/// The room that a program gives for a text.
const ROOM: u64 = 26;

impl Machine<'_, '_> {
    pub(super) fn time_function(&mut self, call: &Call<'_>) -> Res<Value> {
        match call.model.kind {
            ModelKind::BreakTime { local } => self.break_time(call, local),
            ModelKind::MakeTime { local } => self.make_time(call, local),
            ModelKind::TimeText { local } => self.time_text(call, local),
            _ => unreachable!("no function of times"),
        }
    }

    fn tm_size(&self) -> u64 {
        BROKEN_DOWN.size_on(self.program.target)
    }

    fn break_time(&mut self, call: &Call<'_>, local: bool) -> Res<Value> {
        let time = self.given_time(call)?;
        let (id, at) = match call.args.get(1) {
            Some((area, _)) => self.check(*area, self.tm_size(), Access::Write, call.actor(1))?,
            None => (self.one_object(call)?, 0),
        };
        let Some((parts, zone)) = self.parts_of(call, time, local) else {
            self.forget_error_number()?;
            return Ok(Value::NULL);
        };
        self.put_parts(id, at, &parts, local.then_some(zone))?;
        Ok(match call.args.get(1) {
            Some((area, _)) => *area,
            None => self.address_of(id),
        })
    }

    fn make_time(&mut self, call: &Call<'_>, local: bool) -> Res<Value> {
        let (id, at) = self.check(call.value(0), self.tm_size(), Access::Write, call.actor(0))?;
        let parts = self.given_parts(call)?;
        let (zone, summer) = if local { self.zone(call) } else { (0, 0) };
        let time = time_of(&parts) - zone;
        let fits = self.word_bits == 64 || i32::try_from(time).is_ok();
        let Some(mut parts) = broken_down(time + zone).filter(|_| fits) else {
            self.forget_error_number()?;
            return Ok(self.word_result(u64::MAX));
        };
        if local {
            // The same time has the same zone.
            let choice = (zone, summer);
            let known =
                *self.answers.entry(("localtime", vec![time as u64 as u128])).or_insert(packed(choice));
            if known != packed(choice) {
                let what = "another zone for the same time".to_owned();
                return Err(Stop::Unsupported { what }.into());
            }
        }
        parts[8] = summer;
        self.put_parts(id, at, &parts, local.then_some(zone))?;
        Ok(self.word_result(time as u64))
    }

    fn time_text(&mut self, call: &Call<'_>, local: bool) -> Res<Value> {
        let time = if local { Some(self.given_time(call)?) } else { None };
        let mut parts = if local { None } else { Some(self.given_parts(call)?) };
        let (id, at) = match call.args.get(1) {
            Some((area, _)) => self.check(*area, ROOM, Access::Write, call.actor(1))?,
            None => (self.one_object(call)?, 0),
        };
        if let Some(time) = time
            && let Some((found, zone)) = self.parts_of(call, time, true)
        {
            parts = Some(found);
            // It is as `localtime` does it, which has one place for all.
            if call.args.len() == 1
                && let Some(global) = self.program.global(BROKEN_DOWN.name)
            {
                self.put_parts(self.globals[global.as_u32() as usize], 0, &found, Some(zone))?;
            }
        }
        let most = if call.args.len() > 1 { ROOM } else { self.mem.get(id).size };
        let text = parts.and_then(|parts| shown(&parts)).filter(|text| (text.len() as u64) < most);
        let Some(text) = text else {
            self.forget_error_number()?;
            return Ok(Value::NULL);
        };
        self.put_text(id, at, text.as_bytes())?;
        Ok(match call.args.get(1) {
            Some((area, _)) => *area,
            None => self.address_of(id),
        })
    }

    /// The time at the first argument.
    fn given_time(&mut self, call: &Call<'_>) -> Res<i64> {
        let value = self.load(call.value(0), Ty::Int(self.word_bits), call.actor(0))?;
        self.note_number(value);
        Ok(sign_extend(value.bits, self.word_bits) as i64)
    }

    /// The parts at the first argument.
    fn given_parts(&mut self, call: &Call<'_>) -> Res<Parts> {
        let mut parts = [0; 9];
        for (index, part) in parts.iter_mut().enumerate() {
            let place = self.moved(call.value(0), index as u64 * 4);
            let value = self.load(place, Ty::Int(32), call.actor(0))?;
            self.note_number(value);
            *part = i64::from(value.bits as i32);
        }
        Ok(parts)
    }

    /// The object of the library that the function gives.
    fn one_object(&mut self, call: &Call<'_>) -> Res<ObjId> {
        let ResultOf::Object(object) = call.model.effect.result else {
            return Err(Stop::External { name: call.name().to_owned() }.into());
        };
        let object: &'static LibraryObject = object;
        match self.program.global(object.name) {
            Some(global) => Ok(self.globals[global.as_u32() as usize]),
            None => {
                let size = object.size_on(self.program.target);
                self.library_object(object.name, size, crate::page::Fresh::Unknown)
            }
        }
    }

    /// The parts of a time and the zone; none if the year does not fit.
    fn parts_of(&mut self, call: &Call<'_>, time: i64, local: bool) -> Option<(Parts, i64)> {
        if !local {
            return Some((broken_down(time)?, 0));
        }
        let key = ("localtime", vec![time as u64 as u128]);
        let (zone, summer) = match self.answers.get(&key) {
            Some(known) => unpacked(*known),
            None => {
                let zone = self.zone(call);
                self.answers.insert(key, packed(zone));
                zone
            }
        };
        let mut parts = broken_down(time.checked_add(zone)?)?;
        parts[8] = summer;
        Some((parts, zone))
    }

    /// How far local times are from the first zone, and whether it is summer.
    fn zone(&mut self, call: &Call<'_>) -> (i64, i64) {
        let most = (2 * FARTHEST * 2 + 1) as u128;
        let choice = self.choose(Source::Environment, 32, false, Some((0, most)), "the time zone");
        let (zone, summer) = unpacked(choice);
        let name = call.name();
        self.reword(|_| Some(format!("the zone of `{name}` is {zone} s away from UTC")));
        (zone, summer)
    }

    /// Stores parts; there is no zone for those of UTC.
    fn put_parts(&mut self, id: ObjId, at: u64, parts: &Parts, zone: Option<i64>) -> Res<()> {
        for offset in 0..self.tm_size() {
            let done = self.mem.set_byte(id, at + offset, Byte::Unknown);
            self.room(done)?;
        }
        for (index, part) in parts.iter().enumerate() {
            self.put(id, at + index as u64 * 4, 4, self.int_result(*part))?;
        }
        let away = if self.program.target == Target::Lp64 { 40 } else { 36 };
        self.put(id, at + away, self.word_bytes, self.word_result(zone.unwrap_or(0) as u64))?;
        let name = self.zone_name(zone.is_some())?;
        self.put(id, at + away + self.word_bytes, self.word_bytes, name)
    }

    /// The name of the zone of the environment, or of UTC.
    fn zone_name(&mut self, local: bool) -> Res<Value> {
        let (name, length) = if local { ("the name of the zone", 3) } else { ("the name of UTC", 3) };
        let id = self.library_object(name, length + 1, crate::page::Fresh::Unknown)?;
        if !self.mem.get(id).constant {
            if local {
                self.put(id, length, 1, Value::plain(0))?;
            } else {
                self.put_text(id, 0, b"GMT")?;
            }
            self.mem.get_mut(id).constant = true;
        }
        Ok(self.address_of(id))
    }
}

/// A zone and whether it is summer, as one number; the first zone is the least one.
fn packed((zone, summer): (i64, i64)) -> u128 {
    let zone = if zone >= 0 { zone } else { FARTHEST - zone };
    (2 * zone + summer) as u128
}

fn unpacked(number: u128) -> (i64, i64) {
    let (zone, summer) = (number as i64 / 2, number as i64 % 2);
    (if zone <= FARTHEST { zone } else { FARTHEST - zone }, summer)
}

/// The days from 1970 to the first day of a month (from 0) of a year.
fn days_to(year: i64, month: i64) -> i64 {
    // Years begin in March, so that the odd day comes last.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let leap = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap + (153 * month + 2) / 5 - 719_468
}

/// The time of parts that need not be in their ranges.
fn time_of(parts: &Parts) -> i64 {
    let [second, minute, hour, day, month, year, ..] = *parts;
    let year = year + 1900 + month.div_euclid(12);
    let days = days_to(year, month.rem_euclid(12)) + day - 1;
    days * DAY + hour * 3600 + minute * 60 + second
}

/// The parts of a time; none if the year does not fit.
fn broken_down(time: i64) -> Option<Parts> {
    let (days, seconds) = (time.div_euclid(DAY), time.rem_euclid(DAY));
    // At most one year away.
    let mut year = 1970 + days.div_euclid(146_097) * 400 + days.rem_euclid(146_097) * 400 / 146_097;
    while days_to(year, 0) > days {
        year -= 1;
    }
    while days_to(year + 1, 0) <= days {
        year += 1;
    }
    let month = (0..12).rev().find(|month| days_to(year, *month) <= days)?;
    i32::try_from(year - 1900).ok()?;
    Some([
        seconds % 60,
        seconds / 60 % 60,
        seconds / 3600,
        days - days_to(year, month) + 1,
        month,
        year - 1900,
        (days + 4).rem_euclid(7),
        days - days_to(year, 0),
        0,
    ])
}

/// The text of parts as `asctime` has it; none if the year does not fit.
fn shown(parts: &Parts) -> Option<String> {
    const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let name = |names: &[&'static str], index: i64| {
        usize::try_from(index).ok().and_then(|index| names.get(index).copied()).unwrap_or("???")
    };
    let two = |n: i64| if n < 0 { format!("-{:02}", -n) } else { format!("{n:02}") };
    let [second, minute, hour, day, month, year, weekday, ..] = *parts;
    i32::try_from(year + 1900).ok()?;
    let (weekday, month) = (name(&DAYS, weekday), name(&MONTHS, month));
    let clock = format!("{}:{}:{}", two(hour), two(minute), two(second));
    Some(format!("{weekday} {month}{day:3} {clock} {}\n", year + 1900))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_times() {
        assert_eq!(broken_down(0), Some([0, 0, 0, 1, 0, 70, 4, 0, 0]));
        assert_eq!(broken_down(-1), Some([59, 59, 23, 31, 11, 69, 3, 364, 0]));
        assert_eq!(broken_down(951_782_400), Some([0, 0, 0, 29, 1, 100, 2, 59, 0]));
        assert_eq!(broken_down(4_102_444_800), Some([0, 0, 0, 1, 0, 200, 5, 0, 0]));
        assert_eq!(broken_down(i64::MAX), None);
        assert_eq!(broken_down(i64::MIN), None);
    }

    #[test]
    fn parts_and_times_agree() {
        let mut time = -70_000_000_000;
        while time < 400_000_000_000 {
            assert_eq!(time_of(&broken_down(time).unwrap()), time);
            time += 123_456_789;
        }
    }

    #[test]
    fn parts_out_of_range() {
        // The 100th month of 1970 is May 1978.
        let time = time_of(&[0, 0, 0, 1, 100, 70, 0, 0, -1]);
        assert_eq!(broken_down(time).unwrap()[4..6], [4, 78]);
    }

    #[test]
    fn texts() {
        assert_eq!(shown(&broken_down(0).unwrap()).unwrap(), "Thu Jan  1 00:00:00 1970\n");
        assert_eq!(shown(&[0, 0, 0, 1, 12, 0, 7, 0, 0]).unwrap(), "??? ???  1 00:00:00 1900\n");
    }

    #[test]
    fn zones() {
        for zone in [0, 1, -1, FARTHEST, -FARTHEST] {
            for summer in [0, 1] {
                assert_eq!(unpacked(packed((zone, summer))), (zone, summer));
            }
        }
        assert_eq!(unpacked(0), (0, 0));
    }
}
