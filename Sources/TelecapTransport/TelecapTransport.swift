// TelecapTransport
