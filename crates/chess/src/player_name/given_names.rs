//! Given names by which the same player is known: "Garry" and "Gary", "Bobby" and "Robert".

/// Each row has the forms of one name, the usual one first. The table was compiled by hand: a row is here because the
/// named player, or several, appear under more than one of its forms in collections and books.
const FORMS: [&[&str]; 28] = [
    &["aaron", "aron"],                                     // Nimzowitsch
    &["alexander", "aleksandr", "alexandr", "sasha"],       // Alekhine, Grischuk
    &["alexei", "aleksei", "aleksey", "alexey"],            // Shirov
    &["anatoly", "anatoli", "anatolij"],                    // Karpov
    &["anthony", "tony"],                                   // Miles
    &["dmitry", "dmitri", "dmitrij"],                       // Jakovenko
    &["efim", "yefim"],                                     // Geller
    &["emanuel", "emmanuel"],                               // Lasker
    &["evgeny", "evgeni", "evgenij", "evgeniy", "yevgeny"], // Bareev
    &["garry", "gary", "garri"],                            // Kasparov
    &["ian", "yan"],                                        // Nepomniachtchi
    &["isaac", "isaak"],                                    // Boleslavsky
    &["judit", "judith"],                                   // Polgar
    &["machgielis", "max"],                                 // Euwe
    &["michael", "mickey", "mike"],                         // Adams, Basman
    &["mikhail", "mihail", "michail", "misha"],             // Tal, Botvinnik
    &["peter", "pyotr"],                                    // Svidler
    &["robert", "bobby", "bob"],                            // Fischer, Wade
    &["samuel", "sammy"],                                   // Reshevsky
    &["sergey", "sergei", "serguei"],                       // Karjakin
    &["shakhriyar", "shahriar", "shakh"],                   // Mamedyarov
    &["teimour", "teymur"],                                 // Radjabov
    &["vasily", "vassily", "vasiliy", "vassili", "vasyl"],  // Smyslov, Ivanchuk
    &["viktor", "victor"],                                  // Korchnoi
    &["viswanathan", "vishy"],                              // Anand
    &["vladimir", "volodya", "vlad"],                       // Kramnik
    &["william", "wilhelm"],                                // Steinitz
    &["yuri", "yury", "iouri"],                             // Averbakh
];

/// The usual form of a given name in lower case; the name itself if it is not in the table.
pub(super) fn usual(name: &str) -> &str {
    FORMS.iter().find(|forms| forms.contains(&name)).and_then(|forms| forms.first()).unwrap_or(&name)
}
