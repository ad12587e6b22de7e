//! Finds the digits that Godot 4 prints for a float.
//!
//! The engine uses Grisu2 (Florian Loitsch, "Printing Floating-Point Numbers Quickly and Accurately
//! with Integers", 2010). This algorithm always finds digits that read back to the same float, but
//! not always the fewest or the closest. About one random double in two hundred gets other digits
//! than the shortest form, which the standard library and `ryu` print. To print the engine's text,
//! the same algorithm is needed.

/// A binary floating-point number `f * 2^e`, without sign or hidden bit.
#[derive(Clone, Copy)]
struct Scaled {
    f: u64,
    e: i32,
}

impl Scaled {
    /// Returns the number with its highest bit set.
    fn normalized(self) -> Self {
        let shift = self.f.leading_zeros();
        Self {
            f: self.f << shift,
            e: self.e - shift as i32,
        }
    }

    /// Returns the upper 64 bits of the product, rounded (a tie goes up).
    fn times(self, other: Self) -> Self {
        let product = u128::from(self.f) * u128::from(other.f);
        let rounded = (product + (1 << 63)) >> 64;
        Self {
            f: rounded as u64,
            e: self.e + other.e + 64,
        }
    }
}

/// Decimal digits, and the power of ten of the last one: `digits * 10^exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal {
    digits: [u8; 20],
    len: usize,
    exponent: i32,
}

impl Decimal {
    /// Returns the digits in ASCII.
    pub(crate) fn digits(&self) -> &[u8] {
        &self.digits[..self.len]
    }

    /// Returns the power of ten of the last digit.
    pub(crate) fn exponent(&self) -> i32 {
        self.exponent
    }

    fn push(&mut self, digit: u64) {
        self.digits[self.len] = b'0' + digit as u8;
        self.len += 1;
    }

    /// Lowers the last digit as long as this brings the number closer to the wanted one.
    ///
    /// All distances are measured downwards from the upper bound: `above` is the distance of the wanted
    /// number, `width` of the lower bound, `rest` of the digits so far. `unit` is one unit of the last
    /// digit.
    fn nearer(&mut self, above: u64, width: u64, mut rest: u64, unit: u64) {
        while rest < above
            && width - rest >= unit
            && (rest + unit < above || above - rest > rest + unit - above)
        {
            self.digits[self.len - 1] -= 1;
            rest += unit;
        }
    }
}

/// Returns the digits of a positive finite `f64`.
pub(crate) fn digits_f64(value: f64) -> Decimal {
    let bits = value.to_bits();
    shortest(bits & ((1 << 52) - 1), (bits >> 52) as i32, 52, 1075)
}

/// Returns the digits of a positive finite `f32`. The digits distinguish `value` from all other
/// `f32`s.
pub(crate) fn digits_f32(value: f32) -> Decimal {
    let bits = value.to_bits();
    shortest(
        u64::from(bits & ((1 << 23) - 1)),
        (bits >> 23) as i32,
        23,
        150,
    )
}

/// Finds the digits. `fraction` and `exponent` are the fields of the float, `width` is the number
/// of fraction bits, and `bias` turns the exponent into the exponent of the lowest bit.
fn shortest(fraction: u64, exponent: i32, width: u32, bias: i32) -> Decimal {
    let value = if exponent == 0 {
        Scaled {
            f: fraction,
            e: 1 - bias,
        }
    } else {
        Scaled {
            f: fraction | (1 << width),
            e: exponent - bias,
        }
    };
    // The bounds lie half way to the neighbours. Below a power of two the neighbour is nearer.
    let upper = Scaled {
        f: 2 * value.f + 1,
        e: value.e - 1,
    }
    .normalized();
    let lower = if fraction == 0 && exponent > 1 {
        Scaled {
            f: 4 * value.f - 1,
            e: value.e - 2,
        }
    } else {
        Scaled {
            f: 2 * value.f - 1,
            e: value.e - 1,
        }
    };
    let lower = Scaled {
        f: lower.f << (lower.e - upper.e),
        e: upper.e,
    };

    let (power, ten) = cached_power(upper.e);
    let wanted = value.normalized().times(power);
    // Narrowed by one unit on both sides, because the products are rounded.
    let upper = upper.times(power);
    let upper = Scaled {
        f: upper.f - 1,
        e: upper.e,
    };
    let lower = lower.times(power).f + 1;
    generate(lower, wanted.f, upper, -ten)
}

/// Returns the digits of a number between `lower` and `upper` that is close to `wanted`. The digits
/// are as few as this method finds. All three numbers have the exponent of `upper`.
fn generate(lower: u64, wanted: u64, upper: Scaled, exponent: i32) -> Decimal {
    let mut out = Decimal {
        digits: [0; 20],
        len: 0,
        exponent,
    };
    let mut width = upper.f - lower;
    let mut above = upper.f - wanted;
    let shift = (-upper.e) as u32;
    let one = 1u64 << shift;
    let mut whole = upper.f >> shift;
    let mut part = upper.f & (one - 1);

    let mut count = whole.checked_ilog10().map_or(1, |log| log + 1);
    let mut unit = 10u64.pow(count);
    while count > 0 {
        count -= 1;
        unit /= 10;
        out.push(whole / unit);
        whole %= unit;
        let rest = (whole << shift) + part;
        if rest <= width {
            out.exponent += count as i32;
            out.nearer(above, width, rest, unit << shift);
            return out;
        }
    }
    loop {
        part *= 10;
        out.push(part >> shift);
        part &= one - 1;
        out.exponent -= 1;
        width *= 10;
        above *= 10;
        if part <= width {
            out.nearer(above, width, part, one);
            return out;
        }
    }
}

/// Returns a power of ten and its exponent. The product with a number of binary exponent `e` has an
/// integer part that fits into 32 bits.
fn cached_power(e: i32) -> (Scaled, i32) {
    // 78913 / 2^18 is log10(2).
    let wanted = -61 - e;
    let k = (wanted * 78913) / (1 << 18) + i32::from(wanted > 0);
    let index = (300 + k + 7) / 8;
    let ten = index * 8 - 300;
    // 217706 / 2^16 is log2(10).
    let e = ((ten * 217_706) >> 16) - 63;
    (
        Scaled {
            f: POWERS[index as usize],
            e,
        },
        ten,
    )
}

/// 10^-300, 10^-292, ... 10^324: the upper 64 bits of each, rounded to nearest.
#[rustfmt::skip]
const POWERS: [u64; 79] = [
    0xAB70FE17C79AC6CA, 0xFF77B1FCBEBCDC4F, 0xBE5691EF416BD60C, 0x8DD01FAD907FFC3C,
    0xD3515C2831559A83, 0x9D71AC8FADA6C9B5, 0xEA9C227723EE8BCB, 0xAECC49914078536D,
    0x823C12795DB6CE57, 0xC21094364DFB5637, 0x9096EA6F3848984F, 0xD77485CB25823AC7,
    0xA086CFCD97BF97F4, 0xEF340A98172AACE5, 0xB23867FB2A35B28E, 0x84C8D4DFD2C63F3B,
    0xC5DD44271AD3CDBA, 0x936B9FCEBB25C996, 0xDBAC6C247D62A584, 0xA3AB66580D5FDAF6,
    0xF3E2F893DEC3F126, 0xB5B5ADA8AAFF80B8, 0x87625F056C7C4A8B, 0xC9BCFF6034C13053,
    0x964E858C91BA2655, 0xDFF9772470297EBD, 0xA6DFBD9FB8E5B88F, 0xF8A95FCF88747D94,
    0xB94470938FA89BCF, 0x8A08F0F8BF0F156B, 0xCDB02555653131B6, 0x993FE2C6D07B7FAC,
    0xE45C10C42A2B3B06, 0xAA242499697392D3, 0xFD87B5F28300CA0E, 0xBCE5086492111AEB,
    0x8CBCCC096F5088CC, 0xD1B71758E219652C, 0x9C40000000000000, 0xE8D4A51000000000,
    0xAD78EBC5AC620000, 0x813F3978F8940984, 0xC097CE7BC90715B3, 0x8F7E32CE7BEA5C70,
    0xD5D238A4ABE98068, 0x9F4F2726179A2245, 0xED63A231D4C4FB27, 0xB0DE65388CC8ADA8,
    0x83C7088E1AAB65DB, 0xC45D1DF942711D9A, 0x924D692CA61BE758, 0xDA01EE641A708DEA,
    0xA26DA3999AEF774A, 0xF209787BB47D6B85, 0xB454E4A179DD1877, 0x865B86925B9BC5C2,
    0xC83553C5C8965D3D, 0x952AB45CFA97A0B3, 0xDE469FBD99A05FE3, 0xA59BC234DB398C25,
    0xF6C69A72A3989F5C, 0xB7DCBF5354E9BECE, 0x88FCF317F22241E2, 0xCC20CE9BD35C78A5,
    0x98165AF37B2153DF, 0xE2A0B5DC971F303A, 0xA8D9D1535CE3B396, 0xFB9B7CD9A4A7443C,
    0xBB764C4CA7A44410, 0x8BAB8EEFB6409C1A, 0xD01FEF10A657842C, 0x9B10A4E5E9913129,
    0xE7109BFBA19C0C9D, 0xAC2820D9623BF429, 0x80444B5E7AA7CF85, 0xBF21E44003ACDD2D,
    0x8E679C2F5E44FF8F, 0xD433179D9C8CB841, 0x9E19DB92B4E31BA9,
];
