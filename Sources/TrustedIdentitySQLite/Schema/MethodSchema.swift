/// The sixteenth step: the methods that users have enrolled on their devices.
///
/// Rows from before have none. The column has the public parts of the methods; their secrets are sealed with the
/// others.
enum MethodSchema {
    static let statements = [
        """
        ALTER TABLE device
            ADD COLUMN enrolled_methods BLOB CHECK (enrolled_methods IS NULL OR length(enrolled_methods) BETWEEN 1 AND 255)
        """
    ]
}
