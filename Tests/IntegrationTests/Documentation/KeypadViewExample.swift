#if canImport(SwiftUI)
    import Orchestration
    import SwiftUI

    /// The keypad of the article "Asking the user".
    struct KeypadView: View {
        let model: KeypadModel
        var texts = PromptCatalog.default
        var theme = KeypadTheme()

        @Environment(\.colorScheme) private var scheme

        private var colors: KeypadTheme.Colors { theme.colors(isDark: scheme == .dark) }

        var body: some View {
            VStack(spacing: 16) {
                if let prompt = model.prompt {
                    Text(prompt.title).font(.headline)
                    Text(prompt.subtitle)
                    if let display = prompt.displayData { Text(display) }
                    ForEach(Array(prompt.dataFields.enumerated()), id: \.offset) { _, field in
                        LabeledContent(field.label ?? "", value: field.value)
                    }
                    Text(prompt.text)
                        .font(font(theme.textFontName, theme.titleTextSize)).foregroundStyle(Color(colors.text))
                    if let tries = prompt.remainingTriesText { Text(tries) }
                }
                if let message = model.message {
                    Text(message)
                        .font(font(theme.errorTextFontName, theme.errorTextSize))
                        .foregroundStyle(Color(colors.errorText))
                }
                Text(model.mask)
                    .font(font(theme.inputFontName, theme.inputFullSize)).foregroundStyle(Color(colors.input))
                    .accessibilityLabel(texts.text(for: .keypadEntered, count: model.count))
                Grid(horizontalSpacing: 32, verticalSpacing: 16) {
                    ForEach(0..<3) { row in
                        GridRow { ForEach(0..<3) { column in digit(at: 3 * row + column) } }
                    }
                    GridRow {
                        Button(texts[.keypadDelete], systemImage: "delete.backward") { model.press(.delete) }
                            .labelStyle(.iconOnly).tint(Color(colors.arrow))
                        digit(at: 9)
                        Button(texts[.keypadDone]) { model.press(.done) }
                    }
                }
                Button(texts[.biometricCancel]) { model.press(.cancel) }
            }
            .padding()
            .background(Color(colors.background))
            .privacySensitive()
        }

        @ViewBuilder private func digit(at place: Int) -> some View {
            if model.digits.indices.contains(place) {
                Button("\(model.digits[place])") { model.press(.place(place)) }
                    .font(font(theme.digitFontName, theme.digitTextSize)).tint(Color(colors.digit))
            }
        }

        private func font(_ name: String, _ size: Int) -> Font {
            name.isEmpty ? .system(size: CGFloat(size)) : .custom(name, size: CGFloat(size))
        }
    }

    extension Color {
        init(_ color: ThemeColor) {
            self.init(
                .sRGB, red: Double(color.red) / 255, green: Double(color.green) / 255,
                blue: Double(color.blue) / 255, opacity: Double(color.alpha) / 255)
        }
    }
#endif
