extension PromptCatalog {
    /// The German texts of errors.
    static let germanErrors: [PromptText: String] = [
        .fault: "In dieser App ist ein Fehler aufgetreten (Nummer {count}). Bitte wenden Sie sich an den Kundendienst.",
        .storeBusy: "Die Daten dieser App werden gerade verwendet. Bitte versuchen Sie es noch einmal.",
        .storeCorrupt: "Die Daten dieser App sind beschädigt. Bitte aktivieren Sie dieses Gerät noch einmal.",
        .storeNewerVersion:
            "Eine neuere Version dieser App hat ihre Daten geschrieben. Bitte aktualisieren Sie die App.",
        .storeRestoredElsewhere:
            "Die Daten dieser App gehören zu einem anderen Gerät. Bitte aktivieren Sie dieses Gerät.",
        .storeLocked:
            "Die Daten dieser App sind gesperrt. Bitte entsperren Sie dieses Gerät, und versuchen Sie es noch einmal.",
        .storeUnavailable:
            "Die Daten dieser App können nicht gelesen oder geschrieben werden. "
            + "Bitte prüfen Sie den Speicher dieses Geräts, und versuchen Sie es noch einmal.",
        .deviceKeyUnavailable:
            "Die Schlüssel dieses Geräts können nicht verwendet werden. "
            + "Bitte versuchen Sie es noch einmal, oder aktivieren Sie dieses Gerät noch einmal.",
        .invalidInput: "Die Eingabe ist leer oder zu lang. Bitte versuchen Sie es noch einmal.",
        .transport:
            "Der Dienst ist nicht erreichbar. Bitte prüfen Sie das Netz, und versuchen Sie es noch einmal.",
        .invalidAnswer:
            "Die Antwort konnte nicht geprüft werden. "
            + "Bitte versuchen Sie es noch einmal, oder wenden Sie sich an den Kundendienst.",
        .invalidUser: "Das kann kein Benutzername sein. Bitte prüfen Sie ihn.",
        .alreadyActivated: "Dieses Gerät ist für Sie schon aktiviert.",
        .linkOfOtherPlatform: "Dieser Aktivierungslink ist für eine andere App. Bitte verwenden Sie jene App.",
        .notActivated: "Dieses Gerät ist für Sie nicht aktiviert. Bitte aktivieren Sie es.",
        .changedPassword:
            "Ihr Passwort wurde inzwischen geändert. Bitte beginnen Sie noch einmal mit dem neuen.",
        .invalidChallenge: "Für diese Aufgabe kann kein Code erzeugt werden. Bitte prüfen Sie sie.",
        .invalidSealData:
            "Das kann nicht versiegelt werden. Bitte prüfen Sie, dass es nicht leer, nicht zu groß und nicht in Gebrauch ist.",
        .sealsUnavailable: "Der Dienst nimmt keine Siegel an.",
        .alreadyDecided: "Darüber haben Sie schon entschieden.",
        .outcomeUnknown:
            "Ihre Antwort wurde gesendet. Bitte öffnen Sie die Anfrage noch einmal, um zu sehen, ob sie angekommen ist.",
        .invalidNumber: "Die Website zeigt eine andere Art von Zahl. Bitte prüfen Sie die Eingabe.",
        .cannotDisplay:
            "Diese Version der App kann die Anfrage nicht zeigen. Bitte aktualisieren Sie die App.",
        .commandUnknown:
            "Das ist keine Anfrage für diese App. "
            + "Bitte versuchen Sie es noch einmal, oder aktualisieren Sie die App.",
        .refusalUnknown:
            "Die Anfrage wurde aus einem Grund abgelehnt, den diese Version nicht kennt (Nummer {count}). "
            + "Bitte aktualisieren Sie die App.",
    ]
}
