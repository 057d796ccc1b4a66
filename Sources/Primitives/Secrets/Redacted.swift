/// A type whose content is hidden from printing and reflection.
///
/// The default description is the name of the type. A type with something to show, such as an identifier that is not
/// secret, declares its own ``description``. `debugDescription` is the same text, and the mirror has no children, which
/// means that `dump` and debuggers show nothing else.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The name of the type.
    public var description: String { String(describing: Self.self) }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
