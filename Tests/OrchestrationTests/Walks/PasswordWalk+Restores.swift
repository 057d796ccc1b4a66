import OrchestrationProtocol
import OrchestrationTesting
import Primitives
import TrustedIdentity

@testable import Orchestration
@testable import TrustedIdentity

/// Restores of the platform and of the device from backups.
extension PasswordWalk {
    func backUp() {
        world.trace.add("backup")
        backup = Backup(store: world.platformStore.base.snapshot(), failures: failures, throttle: throttle)
    }

    /// Restores the platform from its backup, unless the device has changed its password since: then the user would be
    /// registered again.
    func restorePlatform() async throws {
        let name = world.account.text
        let earlier = try await backup.store.read { try $0.devices(of: name) }.first?.generation
        guard try await device.stolen().record.generation == earlier else { return }
        world.trace.add("restore")
        world.tally.count("restore")
        world.platformStore.replace(by: backup.store.snapshot())
        try await world.startPlatform(isRestored: true)
        try await world.chance.withoutFaults { try await world.platform.markRestored(revocations: .nothingRevoked) }
        (failures, throttle) = (backup.failures, backup.throttle)
        refusesUntil = world.time.now().advanced(seconds: 310)
        if world.chance.draw(0...1) == 0 { world.time.advance(seconds: 320) }
        // A backup after a restore is one of the restored platform.
        backUp()
    }

    /// Restores the store of the device from a copy. One that is older than the platform is a clone, which the next
    /// message shows.
    func restoreStore() async throws {
        world.trace.add("the store of the device is restored")
        await world.chance.withoutFaults { await world.network.deliverLate() }
        world.time.advance(seconds: Int64(world.chance.draw(311...900)))
        try await device.replace(by: copy)
        processes = [try device.process(user), try device.process(user)]
        let (row, record) = (try await device.row(), try await device.stolen().record)
        // The platform knows the input of the store that was in use since the copy.
        let input = try DeviceKeys(of: row, sealer: world.platform.sealer)?.ratchet.offer?.deviceInput
        let isFork = record.ratchetIndex == row.ratchetIndex && input != nil && input != record.ratchetInput
        guard record.generation < row.generation || record.ratchetIndex < row.ratchetIndex || isFork else {
            world.tally.count("copy.valid")
            return
        }
        world.tally.count(
            record.generation < row.generation
                ? "copy.earlier generation" : isFork ? "copy.another input" : "copy.earlier index")
        world.chance.disableFaults()
        user.know(.init(present: present, next: nextPassword()))
        let run = try await FlowRun.of(processes[0].changePassword(of: world.account.text))
        guard case .aborted(.cloneSuspected) = run.end else {
            throw world.failure("a copied store that is left behind changes the password: \(run.word)")
        }
        let after = try await device.row()
        try world.require(after.state == .locked && after.lockReason == .cloneSuspected, "a clone is not locked")
        try world.require([failures, 0].contains(after.passwordFailures), "a clone is counted as a wrong password")
        isOver = true
    }
}
