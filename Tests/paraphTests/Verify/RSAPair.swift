/// An RSA key made for the tests, in the shapes that a signer hands its public half out in.
enum RSAPair {
    static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCghEl8BKeB0wwt
        ya75Y3711yFedpJESQW+ZtvuPkjAYAvpS60eXrZmvr83/kNYzxWHZeEpq7vuxmfz
        UcSHvVGYpJeyFca5DAyIvZyiZhokz+REGKJeNuQ55KeifJQAx3hzBCJ0D60atrF/
        FJjBFw507cm/O1oJWwya+7cZFhiX77j2HVNyAkox4w6ZSOre0VTk3Cjhf/+gJiCv
        1aYBkYZPpA+R3hRBIPf5HPt31krImt6vySeh1JnrhPP1P7c1VylBgFx6HneUDK6u
        9KfpQel9gMd9AMpe/MOa8oCuWx7og7Aumt7DnVhG66NZtkpIp1G9Nf8DRBsgqWaJ
        pK8bKnLfAgMBAAECggEAN4Rpkh5d/TYMkU2fWhxCji7hGLXz8vA6r1cOHEGokfjm
        RcNp1gY2GiVBJ9GmY3IEZTckgHAoaPZwf6S5T6V4Mk5DNVH40InNUAIcycJ8qlzI
        +5B1oBZmK2vdWwKxge97xnQYooHFgmbLz0NFbgtWcbTIwX56rp+yJWyIMIIG8Y1o
        eQTETUWtDzzcmU12gwDBr7ZFYD0eOiNTOCT1Nxf5CrYey5xlPpPb1Bu7yyJLmRdY
        gyUbu7tjewRCOyYqLiLQ8G12haa1ZnRPIPOBOUjT66KbGwG0eEDu0/3Ix0Qr/M6a
        m53x4wC+PIqL4XXyX4X61nb3GZLuVCMg4QMwMIDIIQKBgQDcbjN1tpHQpIH9U0WR
        IPvri/VzSEewcEKZEKAKE2+8wIohb2ZX5E87j+EYxf9YU2gYrx5bOPzZNie/HT7V
        eYes8WriA3VvzGM2nochjAceKotGcY8mLEP8j6nG5Ka7eo7IOCPNRNurM5jA59cA
        j9i2Jna7/PYtgBQeXwfWS15JUQKBgQC6axmXPCJZzlH97NL1Q+mTIS1lsCQfLHAZ
        /102gosuU8LTVk4HY3tGtLR+p4QWHqdGaMdz3eRU8sLN07fz+E/uTMgR+HhoywrL
        L0l7393AmdKWC2af2bWo0oOGTzvMzWUpzdK/OCPAAyF1G6UUsQWDz2CRI4hl6xtU
        YoohbIvtLwKBgGNQB0FWwzWEmMhgtywe90F1ql2JSDtXKLo7wk8n2KTq/pD31t1s
        kMIeHeWCd3v9AB52769b6peWjavOalvVyGoDzwsLUeLP7DdUjz9vDlnqAxv21+7z
        7KGivHRO2kwHeML+gCrghjQJKB5plfW72YCfrckevG9dkDLqz+YdyNoxAoGAXq5i
        0wNB1ycJUdTk2JljmsyxCALMdeDWFv4yU6s+EYuNWlVtUCdgx2qkeeePGMT85K/3
        DYxXmiWqd2ve9FTcFAZ/X1E5ps/pbYVY50euk1INORQVTX7/2v0AvEil8MEpbnAR
        Z/mVfsKYTah60eWPDYFYZJ8NeeZNfTCHQ66j6xUCgYAEuxrleHWT9n+qienjfj5s
        poxH6k7cqbaDb4FF73LaUOlucmSWKWSqDiKS2w4vsWcz7TUPGPnYGuRc4yGt2BPo
        hl/X4n2Q5Y+wySuRZ91l8126Ri2XUChdXv5XLYHvwJaPlVDg7AiXuYzxdM/U8BaX
        mPCWYcuQKABKfZSZsBRSuw==
        -----END PRIVATE KEY-----
        """

    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAoIRJfASngdMMLcmu+WN+
        9dchXnaSREkFvmbb7j5IwGAL6UutHl62Zr6/N/5DWM8Vh2XhKau77sZn81HEh71R
        mKSXshXGuQwMiL2comYaJM/kRBiiXjbkOeSnonyUAMd4cwQidA+tGraxfxSYwRcO
        dO3JvztaCVsMmvu3GRYYl++49h1TcgJKMeMOmUjq3tFU5Nwo4X//oCYgr9WmAZGG
        T6QPkd4UQSD3+Rz7d9ZKyJrer8knodSZ64Tz9T+3NVcpQYBceh53lAyurvSn6UHp
        fYDHfQDKXvzDmvKArlse6IOwLprew51YRuujWbZKSKdRvTX/A0QbIKlmiaSvGypy
        3wIDAQAB
        -----END PUBLIC KEY-----
        """

    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIDBTCCAe2gAwIBAgIUWGt62N521b8zu7Kxc09Nj3Zk9kIwDQYJKoZIhvcNAQEL
        BQAwETEPMA0GA1UEAwwGc2lnbmVyMCAXDTI2MTEyMTE1NDExMloYDzIxMjYxMDI4
        MTU0MTEyWjARMQ8wDQYDVQQDDAZzaWduZXIwggEiMA0GCSqGSIb3DQEBAQUAA4IB
        DwAwggEKAoIBAQCghEl8BKeB0wwtya75Y3711yFedpJESQW+ZtvuPkjAYAvpS60e
        XrZmvr83/kNYzxWHZeEpq7vuxmfzUcSHvVGYpJeyFca5DAyIvZyiZhokz+REGKJe
        NuQ55KeifJQAx3hzBCJ0D60atrF/FJjBFw507cm/O1oJWwya+7cZFhiX77j2HVNy
        Akox4w6ZSOre0VTk3Cjhf/+gJiCv1aYBkYZPpA+R3hRBIPf5HPt31krImt6vySeh
        1JnrhPP1P7c1VylBgFx6HneUDK6u9KfpQel9gMd9AMpe/MOa8oCuWx7og7Aumt7D
        nVhG66NZtkpIp1G9Nf8DRBsgqWaJpK8bKnLfAgMBAAGjUzBRMB0GA1UdDgQWBBQ2
        jRHeQ8pojx+Y6QKiZfgk36kYCDAfBgNVHSMEGDAWgBQ2jRHeQ8pojx+Y6QKiZfgk
        36kYCDAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQB5mdiVixBQ
        9xJc7J0EHF+qXdtZuBLvEI2OKqc8mZ4EQSShOIa6gMboATZ8NyjUQtGCm7JxNRRt
        j64d8hYQUbeLrvCi8wPVfbagQBLPgP3H7zXea6SCsK1Vjdtrbnbtsgd/Uf6TkCdK
        fWK3z2DsOWM92LZ4D3ZmjKe14XoUGZEtNVG3aLC//qAXOHSbM15YvsuZ6E1ipFC7
        qDybhjGOnaiwjk2V6PjTjCyV6+/op/QHXNcfPzbgQKEfeFHW1K3Xr1JqYDlc+crH
        LrqAynlRBp643EkHhkGQ8WZr9hfE80RgZR9LWaxRKQRKWdztwYr0a4DRTSMyWsFy
        bqZJ5lOH/1EA
        -----END CERTIFICATE-----
        """
}
