import FoundationEssentials

/// A time of the Gregorian calendar in UTC, as ASN.1 writes it.
struct CivilTime {
    private let seconds: Int

    init(_ year: Int, _ month: Int, _ day: Int, _ hours: Int, _ minutes: Int, _ seconds: Int) {
        // Years are counted from March, so that the day that some have and others lack is the last one.
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        // ASN.1 has years from 0 to 9999; year -1 of March is in January and February of 0.
        let leapDays = (marchYear + 400) / 4 - (marchYear + 400) / 100 + (marchYear + 400) / 400 - 97
        let days = marchYear * 365 + leapDays + dayOfYear - 719_468
        self.seconds = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    }

    var date: Date { Date(timeIntervalSince1970: Double(seconds)) }
}
