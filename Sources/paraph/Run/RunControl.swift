import AdminServer

/// The running proxy, as far as the admin listener may tell it what to do.
struct RunControl: ProcessControl {
    let reloads: ReloadRequests
    let ending: Ending

    func reload() async -> ReloadResult {
        await reloads.result()
    }

    func quit() {
        ending.begin()
    }
}
