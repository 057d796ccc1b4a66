import Foundation
import Observation
import Orchestration

#if canImport(SwiftUI)
    import SwiftUI
#endif

/// The model of the article "Approve logins and payments".
@MainActor @Observable
final class ApprovalModel {
    /// The requests that wait for the user, the first one on the screen.
    private(set) var requests: [ApprovalRequest] = []
    private(set) var message = ""
    private(set) var isBusy = false
    var number = ""

    /// Shows the requests of a user until the task of the view is canceled.
    func listen(to user: UserHandle) async {
        do {
            for try await request in user.approvalRequests() { requests.append(request) }
        } catch {
            message = (error as? OrchestrationError)?.userMessage() ?? ""
        }
    }

    func approve() async {
        await decide { [number] in try await $0.approve(number: $0.digits > 0 ? number : nil) }
    }

    func reject(_ reason: RejectionReason) async { await decide { try await $0.reject(reason) } }

    private func decide(_ act: (ApprovalRequest) async throws -> AnsweredApproval) async {
        guard let request = requests.first, !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        do {
            message = "\(try await act(request))"
        } catch {
            message = (error as? OrchestrationError)?.userMessage() ?? ""
            // Nothing was decided: the user types the number again.
            if (error as? OrchestrationError)?.code == .invalidNumber(digits: request.digits) { return }
        }
        requests.removeAll { $0.id == request.id }
        number = ""
    }
}

#if canImport(SwiftUI)
    /// The view of the same article.
    struct ApprovalView: View {
        let user: UserHandle
        @State private var model = ApprovalModel()

        var body: some View {
            VStack(alignment: .leading, spacing: 12) {
                if let request = model.requests.first {
                    Text(request.principal.displayed).font(.title)
                    Text(request.heading).font(.headline)
                    ForEach(Array(request.lines.enumerated()), id: \.offset) { _, line in Text(line.displayed) }
                    if request.digits > 0 { TextField("Number of the site", text: $model.number) }
                    HStack {
                        Button("Reject") { Task { await model.reject(.notMe) } }
                        Button("Approve") { Task { await model.approve() } }
                    }
                    .disabled(model.isBusy)
                }
                Text(model.message)
            }
            .privacySensitive()
            .task { await model.listen(to: user) }
        }
    }
#endif
