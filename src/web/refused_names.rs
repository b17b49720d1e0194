//! Host names of requests that the server refused. The client and the log see how to allow one. Since anybody can send
//! any number of names, each is logged once, and only the first few.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use crate::limits::{MAX_HOST_BYTES, MAX_REFUSED_NAMES};

/// The refused names that have been logged.
#[derive(Debug)]
pub(super) struct RefusedNames {
    log: fn(&str),
    logged: Mutex<BTreeSet<String>>,
}

impl RefusedNames {
    pub(super) fn new(log: fn(&str)) -> RefusedNames {
        RefusedNames { log, logged: Mutex::default() }
    }

    /// The message for a host, and the name in it if there is one.
    pub(super) fn refuse(&self, host: &[u8], name: Option<&str>) -> String {
        let why = match name.filter(|name| is_option_value(name)) {
            Some(name) => format!(
                "this host name is not allowed; to allow it, start the server with --allowed-host {name}"
            ),
            None => {
                let start = &host[..host.len().min(MAX_HOST_BYTES)];
                format!(
                    "this host name is not allowed: {:?} is not a valid host name",
                    String::from_utf8_lossy(start)
                )
            }
        };
        self.report(&why);
        why
    }

    fn report(&self, why: &str) {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        if logged.len() > MAX_REFUSED_NAMES || !logged.insert(why.to_owned()) {
            return;
        }
        match logged.len() > MAX_REFUSED_NAMES {
            true => (self.log)("requests with more host names were refused; they are not logged"),
            false => (self.log)(&format!("a request was refused: {why}")),
        }
    }
}

/// Whether a name can be passed to the option unchanged: in any shell, and without being taken for another option.
fn is_option_value(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    (1..=MAX_HOST_BYTES).contains(&name.len()) && !name.starts_with('-') && name.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_host_names_are_suggested_as_an_option() {
        let names = RefusedNames::new(|_| ());
        let refuse = |name: &str| names.refuse(name.as_bytes(), Some(name));
        let longest = "x".repeat(MAX_HOST_BYTES);
        for name in ["club.example", "Club_1.example", "10.0.0.1", "[fe80::1]", &longest] {
            assert_eq!(
                refuse(name),
                format!(
                    "this host name is not allowed; to allow it, start the server with --allowed-host {name}"
                )
            );
        }
        let too_long = longest.clone() + "x";
        for (name, shown) in [
            ("", r#""""#),
            ("-x", r#""-x""#),
            ("$host", r#""$host""#),
            ("a b;\u{1b}", r#""a b;\u{1b}""#),
            (&too_long, &format!("{longest:?}")),
        ] {
            assert_eq!(
                refuse(name),
                format!("this host name is not allowed: {shown} is not a valid host name")
            );
        }
        assert!(names.refuse(b"\xff", None).contains("\"\u{fffd}\" is not"));
    }

    #[test]
    fn each_name_is_logged_once_and_only_the_first_few() {
        static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
        let names = RefusedNames::new(|line| LINES.lock().unwrap().push(line.to_owned()));
        for number in 0..3 * MAX_REFUSED_NAMES {
            for _ in 0..3 {
                names.refuse(b"", Some(&format!("{number}.example")));
            }
        }
        let lines = LINES.lock().unwrap();
        assert_eq!(lines.len(), MAX_REFUSED_NAMES + 1);
        assert_eq!(
            lines[0],
            "a request was refused: this host name is not allowed; to allow it, start the server with --allowed-host 0.example"
        );
        assert!(lines[MAX_REFUSED_NAMES].contains("not logged"));
    }
}
