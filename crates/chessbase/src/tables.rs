//! The tables of the moves: what a byte of a game means.

/// Mode 0, which nearly all games have.
pub(crate) const ORDINARY: [u8; 256] = table(
    "\
     a29543f5c13d4a6c5383cc7cffae68add1928b8d35815e74268eabcafd9af3a0a515fcb11eed30ea22eba7cd4e6f2e24\
     3294418c6e588250bb028ad8fa60de52ba46ac299dd7df08210166a3f11927b591d5420eb44cd9185fbc25a69604566a\
     aa331c2b73f0dda437d3c510bf5a2334755bb855d26b093a5712b37748859b0f9ec7c8a17f7ac0bd316df63ec31171ce\
     7ddaa85490971f444016c9e32ccb84ec9f3f5ce6760b3c20b73600dce7f94ff7af0607e01a0aa94b0cd66387891d131b\
     e4700547677b2feee2e8980defcfc4f4fbb0179964f2d42a034d78c6fe65868879453be5498f2db9be629314e9d0389c\
     b2c2595db67251f8287e6139e1db6980",
);

/// Mode 4.
pub(crate) const MODE_4: [u8; 256] = table(
    "\
     58a3ee7247b91fa026fddc6df1e3cbc5e2d029e789e1ae7b3441354ba57cf6e5db8c5f3705bb32544cef5d2a7fd38186\
     df18c34416f7850f4d30791445aaa26c1592a6624819e93c389428a866090363207d36d72e98ecda01132473cd9ecfd9\
     d5688bd2ab5b69b027fc311b537e65765575af0accc7c4b2b522e8a7bef5005a21d1748ede9ce4422bb19b93c17870d6\
     b6ad4e6a647a5749119d12c03a2fe684c607ce08820490b887ca6e1e401a50b410bc438a710b8d5c3b3f88baf4f3611d\
     f9fe25510debc8591746a4f256b7022d339fd883fbbfeaedac606739dd966ba9c2770c0e91fa999ae0a1f05ec9064fbd\
     5280d4f897233e1c2c954a8f3d6fffb3",
);

/// Mode 5.
pub(crate) const MODE_5: [u8; 256] = table(
    "\
     e01b9786a248f0230137faeb50765dcd801a315cffbc78dae5a375b371e1a10e56413fe30dc425e6888970dc99a60b9a\
     142c579e697adf55ad737cc50372f545628eaf5fccc05ef31813b53809283cbd108be9dd8c940881a7fe2479442bc136\
     327f67e4fd494b21a95b771f1cf640653df95af8472653d420d2d84f27aefbb69b74b842fc166fd79fb97b60dec24606\
     9cd32ac705853eb10015d196ce909511338fc68284b739a0e8341e7da8d0eae2ef4cc3584e021db27e982d07d5ca68cb\
     30b4ac8363ec87ee2ebecf6d4d8ad604b035c8c91217618d640fa554293a4a6bbb2fd93b936aaaa422f419436ef1f7db\
     92ed66590abf6c519152f20c9dabbae7",
);

/// Mode 10.
pub(crate) const CHESS960: [u8; 256] = table(
    "\
     385064cc9f566f734d4166a2c6b99647eecfb16d484f442015be82093499eb1a337cab59002224b0b4fa85dd57f3d9d2\
     8a8d70b56e43a70b2708eab3941c631b2bc50cd43f37e8dea623ef06fd3ec14032df2dc8d00ff1e27a95ec3cca4911e0\
     25d830fe2ebadcaa534cd15e678b0d9ea9bf057835c4b6a44bd60452a8762cbdae39b2e30381179a3d68c06592c9f777\
     16fff5e11e36bb868ef99dd56bf474802f7b149729e54a02935ccba15879f85f26288f7ea5edd389c7889b548760daf0\
     453ac2849021f6f25a2a55186101fbe68c6a12b862839810715be4addb420acd46d77207ce19b73b319c51c369a391e9\
     0e1ffc756c1d7de7af5da0bc137fac4e",
);

/// The moves of game quotations.
pub(crate) const QUOTATION: [u8; 256] = table(
    "\
     816bc397730b7eb8995605d472453e63c8ec49018d47dab587e69450f557c0ebfa425da28eb94a7a1d176de5c2854312\
     6c1455d160bc5f0ea01648a64ce7d9e3cfa120ea041bbd23dfff8c22688fbedb2cdc33a75e77f1b0f7abfeee89d0c980\
     e41e74a4b2ac4e02d83b4609c1d632a3c4ad58d513c5afb6f659293a7935242e212786d2f061342b5be9657106f3a918\
     b7ed9de10dca7507302a1078cb0cb45491e21a8bfd39f24dc73df4a5bf3f9f0092844bfbe840fc0fde53ba7f9a9003d3\
     cc44524f3c38938a88955c835a2fb17bf876676ab3c6cd2641256470bbef82086e2de037dd157c1c2866ae7d6f1faa31\
     9c19ce6936510a62969b989ed711a8f9",
);

/// A table from its hexadecimal digits.
#[expect(clippy::indexing_slicing, reason = "a wrong index stops the compiler")]
const fn table(digits: &str) -> [u8; 256] {
    let (digits, mut table, mut at) = (digits.as_bytes(), [0; 256], 0);
    while at < table.len() {
        table[at] = digit(digits[2 * at]) << 4 | digit(digits[2 * at + 1]);
        at += 1;
    }
    table
}

const fn digit(byte: u8) -> u8 {
    if byte <= b'9' { byte - b'0' } else { byte - b'a' + 10 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_every_value_once() {
        for table in [ORDINARY, MODE_4, MODE_5, CHESS960, QUOTATION] {
            let mut sorted = table;
            sorted.sort_unstable();
            assert_eq!(sorted, std::array::from_fn(|at| at as u8));
        }
    }
}
