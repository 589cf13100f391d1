// TelecapStore
