//! Reads [`Style::Plain`](crate::Style::Plain).

use gdvar_text::Number;
use gdvar_write::wire::Kind;

use super::{ChildSyntax, JsonReader, Result};
use crate::lexer::Scalar;

pub(super) fn value(reader: &mut JsonReader<'_>) -> Result<bool> {
    if reader.lexer.eat(b'[') {
        let count_at = reader.out.begin(|writer| writer.begin_array(0))?;
        reader.push(ChildSyntax::List, count_at, 0);
        return Ok(false);
    }
    if reader.lexer.eat(b'{') {
        let count_at = reader.out.begin(|writer| writer.begin_dict(0))?;
        reader.push(ChildSyntax::Members, count_at, 0);
        return Ok(false);
    }
    match reader.lexer.scalar()? {
        Scalar::Null => reader.out.write(|writer| writer.nil())?,
        Scalar::Bool(flag) => reader.out.write(|writer| writer.bool(flag))?,
        Scalar::Text(text) => reader.out.text(Kind::String, text.as_bytes())?,
        Scalar::Number(number) => match reader.number(number)? {
            Number::Int(int) => reader.out.write(|writer| writer.int(int))?,
            Number::Float(float) => reader.float(float)?,
        },
    }
    Ok(true)
}
