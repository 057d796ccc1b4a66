extension Label {
    /// Every label of this package, those of other modules' extensions included. Add yours here.
    package static let all: [Label] = activationExchange + sealedChannel + instances + client + platform
}
