//! Writes Arrow and Parquet files.

use std::io;

use arrow_ipc::writer::FileWriter;
use gdvar_arrow::{record_batch, schema};
use gdvar_columns::{Batch, Schema};
use gdvar_io::replace::Replacement;
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, ZstdLevel},
    file::properties::WriterProperties,
};

use super::sheet::Format;

/// An Arrow or Parquet file that is being written.
pub(crate) enum File {
    /// The file format of Arrow's IPC.
    Arrow(FileWriter<Replacement>),
    /// Parquet with zstd.
    Parquet(ArrowWriter<Replacement>),
}

/// The number of rows in a row group of Parquet. A row group is held in memory, encoded, until it is written.
const ROW_GROUP: usize = 1 << 18;

impl File {
    /// Starts the file. It has a temporary name until it is finished.
    pub(crate) fn new(format: Format, file: Replacement, columns: &Schema) -> io::Result<File> {
        let columns = schema(columns);
        if format == Format::Arrow {
            return FileWriter::try_new(file, &columns)
                .map(File::Arrow)
                .map_err(io::Error::other);
        }
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .build();
        ArrowWriter::try_new(file, columns, Some(properties))
            .map(File::Parquet)
            .map_err(io::Error::other)
    }

    /// Writes a batch of rows.
    pub(crate) fn put(&mut self, batch: Batch) -> io::Result<()> {
        let batch = record_batch(batch).map_err(io::Error::other)?;
        match self {
            File::Arrow(file) => file.write(&batch).map_err(io::Error::other),
            File::Parquet(file) => file.write(&batch).map_err(io::Error::other),
        }
    }

    /// Completes the file, and gives it its name.
    pub(crate) fn finish(self) -> io::Result<()> {
        let file = match self {
            File::Arrow(mut file) => {
                file.finish().map_err(io::Error::other)?;
                file.into_inner().map_err(io::Error::other)?
            }
            File::Parquet(file) => file.into_inner().map_err(io::Error::other)?,
        };
        file.finish()
    }
}
