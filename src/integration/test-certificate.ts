/** A self-signed certificate for `invoke.test`, valid from 2020 to 2120. Its key is public and protects nothing. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBZjCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtpbnZva2Uu
dGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
AwwLaW52b2tlLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQSLeFYZcTN
B7fih6cyBR0cuJJWA6ILRkieQtdonEsbxsowoEn1tJ3s131eRVqHRPC+tbpL4Fw8
nnH1nCzChHhNo0owSDAWBgNVHREEDzANggtpbnZva2UudGVzdDAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBSw33Wkw/AYoVNtjgk+29S3wO/OSzAKBggqhkjOPQQD
AgNHADBEAiBNkJwStzvRF9RZffwgaZqEc7nsqab9Epllu4JL94SajwIgPpCZLuc1
tNXNwRdtPGAOe7DBoAbLuTrVAZDuJzI2D2w=
-----END CERTIFICATE-----
`

export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpZYdwq/aFedDl4GS
gqsISklIYkP4/YUdbT6IDYn4sBGhRANCAAQSLeFYZcTNB7fih6cyBR0cuJJWA6IL
RkieQtdonEsbxsowoEn1tJ3s131eRVqHRPC+tbpL4Fw8nnH1nCzChHhN
-----END PRIVATE KEY-----
`
