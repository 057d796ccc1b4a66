#if canImport(SwiftUI)
    import Orchestration
    import SwiftUI

    // The views of the article "Asking the user".

    struct PromptView: View {
        let prompts: PromptModel

        var body: some View {
            if let pending = prompts.pending { KeypadView(pending, of: prompts).id(pending.id) }
        }
    }

    struct KeypadView: View {
        private let pending: PendingPrompt
        private let prompts: PromptModel
        private let texts: PromptCatalog
        private let theme: KeypadTheme
        @State private var model: KeypadModel?
        @State private var text = ""
        @Environment(\.colorScheme) private var scheme

        init(
            _ pending: PendingPrompt, of prompts: PromptModel, texts: PromptCatalog = .default,
            theme: KeypadTheme = KeypadTheme()
        ) {
            (self.pending, self.prompts, self.texts, self.theme) = (pending, prompts, texts, theme)
            _model = State(initialValue: try? KeypadModel(pending, of: prompts, texts: texts))
        }

        private var prompt: Prompt { pending.prompt }
        private var colors: KeypadTheme.Colors { theme.colors(isDark: scheme == .dark) }

        var body: some View {
            VStack(spacing: 16) {
                Text(prompt.title).font(.headline)
                Text(prompt.subtitle)
                if let display = prompt.displayData { Text(display) }
                ForEach(Array(prompt.dataFields.enumerated()), id: \.offset) { _, field in
                    LabeledContent(field.label ?? "", value: field.value)
                }
                Text(prompt.text)
                    .font(font(theme.textFontName, theme.titleTextSize)).foregroundStyle(Color(colors.text))
                if let tries = prompt.remainingTriesText { Text(tries) }
                if let message = model == nil ? prompt.rejectionText : model?.message {
                    Text(message)
                        .font(font(theme.errorTextFontName, theme.errorTextSize))
                        .foregroundStyle(Color(colors.errorText))
                }
                if let model { keys(of: model) } else { field }
                Button(prompt.cancelText) { prompts.cancel(pending) }
            }
            .padding()
            .background(Color(colors.background))
            .privacySensitive()
        }

        @ViewBuilder private func keys(of model: KeypadModel) -> some View {
            Text(model.mask)
                .font(font(theme.inputFontName, theme.inputFullSize)).foregroundStyle(Color(colors.input))
                .accessibilityLabel(texts.text(forKey: "orch_pinpad_entered", count: model.count))
            Grid(horizontalSpacing: 32, verticalSpacing: 16) {
                ForEach(0..<3) { row in
                    GridRow { ForEach(0..<3) { column in digit(at: 3 * row + column, of: model) } }
                }
                GridRow {
                    Button(texts.text(forKey: "orch_pinpad_btn_delete"), systemImage: "delete.backward") {
                        model.press(.delete)
                    }
                    .labelStyle(.iconOnly).tint(Color(colors.arrow))
                    digit(at: 9, of: model)
                    Button(texts.text(forKey: "orch_pinpad_btn_done")) { model.press(.done) }
                }
            }
        }

        private func digit(at place: Int, of model: KeypadModel) -> some View {
            Button("\(model.digits[place])") { model.press(.place(place)) }
                .font(font(theme.digitFontName, theme.digitTextSize)).tint(Color(colors.digit))
        }

        /// For a password that has other characters than digits.
        private var field: some View {
            SecureField(prompt.title, text: $text)
                .onSubmit { prompts.answer(pending, with: UserInput(SecretBytes(copying: text.utf8))) }
        }

        private func font(_ name: String, _ size: Int) -> Font {
            name.isEmpty ? .system(size: CGFloat(size)) : .custom(name, size: CGFloat(size))
        }
    }

    extension Color {
        init(_ color: KeypadTheme.Color) {
            self.init(
                .sRGB, red: Double(color.red) / 255, green: Double(color.green) / 255,
                blue: Double(color.blue) / 255, opacity: Double(color.alpha) / 255)
        }
    }
#endif
