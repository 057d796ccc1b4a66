/// The colors of an image.
package enum ImageColors: String, Sendable, Hashable, CaseIterable {
    /// Dark modules on a light background.
    case light
    /// Light modules on a dark background, for a dark page. Some readers do not accept such images.
    case dark
}
