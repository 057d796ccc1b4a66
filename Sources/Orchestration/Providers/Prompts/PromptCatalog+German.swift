extension PromptCatalog {
    /// The German texts, in the formal form of address.
    public static let german = PromptCatalog(
        germanPrompts.merging(germanWarnings) { $1 }.merging(germanFlowEnds) { $1 }.merging(germanApprovals) { $1 }
            .merging(germanErrors) { $1 })

    private static let germanPrompts: [PromptText: String] = [
        .registration: "Passwort wählen",
        .registrationConfirmation: "Passwort bestätigen",
        .authentication: "Passwort eingeben",
        .methodEnrollment: "Passwort eingeben, um ein weiteres Anmeldeverfahren einzurichten",
        .unlockedPassword: "Das neue Passwort eingeben, das Sie gewählt haben",
        .methodRemoval: "Passwort eingeben, um ein Anmeldeverfahren von allen Geräten zu entfernen",
        .update: "Neues Passwort wählen",
        .updateConfirmation: "Neues Passwort bestätigen",
        .registrationTitle: "Passwort einrichten",
        .authenticationTitle: "Passwort",
        .updateTitle: "Passwort ändern",
        .subtitle: "{account}",
        .tooShort: "Das Passwort ist zu kurz. Bitte geben Sie mindestens {count} Zeichen ein.",
        .tooLong: "Das Passwort ist zu lang. Bitte geben Sie höchstens {count} Zeichen ein.",
        .notDigits: "Bitte geben Sie nur Ziffern ein.",
        .invalidText: "Das Passwort enthält Zeichen, die nicht möglich sind. Bitte geben Sie ein anderes ein.",
        .weak: "Dieses Passwort ist zu leicht zu erraten. Bitte wählen Sie ein anderes.",
        .unchangedPassword: "Das ist Ihr jetziges Passwort. Bitte wählen Sie ein anderes.",
        .confirmationDiffers: "Die Eingaben sind verschieden. Bitte geben Sie zweimal dasselbe Passwort ein.",
        .wrongPassword: "Das Passwort wurde nicht angenommen. Bitte versuchen Sie es noch einmal.",
        .remainingTries: "verbleibende Versuche: {count}",
        .digitsPolicy: "{length} Ziffern",
        .charactersPolicy: "{length} Zeichen",
        .keypadDelete: "Löschen",
        .keypadDone: "Fertig",
        .keypadEntered: "Eingegebene Ziffern: {count}",
        .keypadInstruction:
            "Geben Sie den Buchstaben neben jeder Ziffer ein. {delete} löscht, {done} beendet die Eingabe.",
        .biometricTitle: "Biometrische Anmeldung",
        .biometricDescription: "Verwenden Sie den biometrischen Sensor dieses Geräts, um fortzufahren.",
        .biometricFailed: "Die Anmeldung ist fehlgeschlagen",
        .biometricCancel: "Abbrechen",
    ]

    private static let germanWarnings: [PromptText: String] = [
        .fellBackToPassword: "Das gewünschte Verfahren ist nicht verfügbar. Stattdessen wird das Passwort verwendet.",
        .notSynchronized: "Der Code ist fertig, aber dieses Gerät wurde nicht mit der Plattform abgeglichen.",
        .platformNotInformed:
            "Der Benutzer wurde hier gelöscht, aber die Plattform weiß es noch nicht. "
            + "Bitte lassen Sie dieses Gerät sperren.",
        .notificationsPending:
            "Die Aktivierung ist erst vollständig, wenn Benachrichtigungen eingerichtet sind.",
        .failedCodes:
            "Seit dem letzten Kontakt abgelehnte Codes: {count}. "
            + "Wenn Sie sie nicht eingegeben haben, wenden Sie sich bitte an den Kundendienst.",
        .failedPasswords:
            "Falsche Passwörter seit dem letzten richtigen: {count}. Wenn Sie sie nicht eingegeben haben, ändern Sie "
            + "bitte Ihr Passwort und wenden Sie sich an den Kundendienst.",
        .clockUncertain:
            "Die Uhr dieses Geräts weicht von der Uhr der Plattform ab. Bitte prüfen Sie Datum und Uhrzeit.",
        .softwareKeys: "Die Schlüssel dieses Geräts werden in Software aufbewahrt.",
        .passwordNotConfirmed:
            "Das Passwort wurde auf diesem Gerät geändert. Die Plattform bestätigt es bei der nächsten Verwendung.",
        .methodRemovalNotConfirmed:
            "Das Verfahren wurde auf diesem Gerät entfernt, aber die Plattform weiß es noch nicht. "
            + "Bitte entfernen Sie es später noch einmal.",
        .methodKeysLeft:
            "Der Benutzer wurde gelöscht, aber Schlüssel eines Anmeldeverfahrens sind noch auf diesem Gerät. "
            + "Sie können nicht mehr verwendet werden.",
        .renewEnrolledMethods:
            "Ihre anderen Anmeldeverfahren auf diesem Gerät bleiben gültig. Wenn eine andere Person das bisherige "
            + "Passwort kennen könnte, richten Sie sie bitte neu ein.",
        .deviceDataMissing: "Manche Daten über dieses Gerät konnten nicht erhoben werden.",
        .deviceDataPermissionMissing: "Für Daten über dieses Gerät fehlt eine Berechtigung.",
        .deviceDataFieldLeftOut: "Ein Wert über dieses Gerät ist ungültig und wurde weggelassen.",
        .deviceDataNotSent: "Die Daten über dieses Gerät wurden nicht gesendet.",
        .livenessFailed: "Die Prüfung hat keine lebende Person erkannt.",
    ]

    private static let germanFlowEnds: [PromptText: String] = [
        .abortedByUser: "Abgebrochen.",
        .inputRejectedTooOften:
            "Zu viele Eingaben konnten kein Passwort dieses Geräts sein. Bitte beginnen Sie noch einmal.",
        .superseded: "Der Vorgang wurde noch einmal begonnen, deshalb ist der erste beendet.",
        .refused: "Die Anfrage wurde abgelehnt (Nummer {count}).",
        .rateLimited: "Zu viele Anfragen. Bitte versuchen Sie es später noch einmal.",
        .rateLimitedForSeconds: "Zu viele Anfragen. Bitte versuchen Sie es in {count} s noch einmal.",
        .deviceLocked:
            "Dieses Gerät ist nach falschen Passwörtern gesperrt. Bitten Sie um einen Entsperrcode oder ein neues "
            + "Aktivierungspasswort, oder wenden Sie sich an den Kundendienst.",
        .deviceSuspended:
            "Dieses Gerät ist angehalten, bis der Kundendienst es bestätigt. Bitte wenden Sie sich an ihn.",
        .cloneSuspected:
            "Die Daten dieses Geräts wurden kopiert oder wiederhergestellt, deshalb ist es gesperrt. "
            + "Bitte aktivieren Sie es noch einmal.",
        .deviceRevoked: "Dieses Gerät wurde abgemeldet. Bitte aktivieren Sie es noch einmal.",
        .deviceLimitReached:
            "Sie haben so viele Geräte, wie erlaubt sind. Entfernen Sie eines, und versuchen Sie es noch einmal.",
        .exchangeExpired:
            "Das hat zu lange gedauert. Bitte beginnen Sie noch einmal mit demselben Aktivierungspasswort.",
        .activationExpired:
            "Die Aktivierung wurde nicht rechtzeitig abgeschlossen. "
            + "Bitte bitten Sie um ein neues Aktivierungspasswort.",
        .activationPasswordLength: "Ein Aktivierungspasswort hat 12 Zeichen. Bitte prüfen Sie es.",
        .activationPasswordCharacter:
            "Das Zeichen {count} des Aktivierungspassworts kann dort nicht vorkommen. Bitte prüfen Sie es.",
        .activationPasswordMistyped: "Das Aktivierungspasswort enthält einen Tippfehler. Bitte prüfen Sie es.",
        .activationPasswordNotConfirmed:
            "Das Aktivierungspasswort wurde nicht bestätigt. "
            + "Prüfen Sie Benutzer und Passwort, oder bitten Sie um ein neues Aktivierungspasswort.",
        .activationPasswordTriedTooOften:
            "Dieses Aktivierungspasswort wurde zu oft versucht. Bitte bitten Sie um ein neues.",
        .unlockCodeLength: "Ein Entsperrcode hat 12 Zeichen. Bitte prüfen Sie ihn.",
        .unlockCodeCharacter:
            "Das Zeichen {count} des Entsperrcodes kann dort nicht vorkommen. Bitte prüfen Sie ihn.",
        .unlockCodeMistyped: "Der Entsperrcode enthält einen Tippfehler. Bitte prüfen Sie ihn.",
        .unlockCodeRefused:
            "Der Entsperrcode wurde nicht angenommen. Bitte prüfen Sie ihn, oder bitten Sie um einen neuen.",
        .unlockCodeRefusedWithTries:
            "Der Entsperrcode wurde nicht angenommen. Bitte prüfen Sie ihn, oder bitten Sie um einen neuen. "
            + "Verbleibende Versuche: {count}.",
    ]

    private static let germanApprovals: [PromptText: String] = [
        .approvalLogin: "Anmeldung",
        .approvalTransaction: "Transaktion",
        .approvalEvent: "Bestätigung",
        .approvalSeal: "Siegel",
        .approvalAmount: "Betrag",
        .approvalCreditor: "Empfänger",
        .approvalCreditorAccount: "Konto des Empfängers",
        .approvalRemittance: "Verwendungszweck",
        .approvalTime: "Zeit",
        .approvalRequester: "Angefordert von",
        .approvalPlace: "Ort",
        .approvalExpired: "Die Zeit für die Antwort ist abgelaufen.",
        .approvalAnswered: "Das wurde schon auf einem anderen Gerät beantwortet.",
        .approvalReplaced: "Eine neuere Anmeldung hat diese ersetzt.",
        .approvalCanceled: "Die Website hat diese Anfrage zurückgezogen.",
        .approvalUnknown: "Auf diesem Gerät gibt es keine solche Anfrage für Sie.",
        .approvalUndecided: "Es wurde nichts entschieden.",
        .approvalWrongNumber: "Das ist nicht die Zahl, die die Website zeigt. Die Anfrage ist beendet.",
        .approvalMethodRefused: "Auf diese Weise ist keine Freigabe möglich. Die Anfrage ist beendet.",
    ]
}
