/// A user logs in: the code on the device with everything that belongs to it, and the platform's decision.
func authenticationBenchmarks() {
    localAuthenticationBenchmarks()
    loginBenchmarks()
}
