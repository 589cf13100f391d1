// TelecapCapture
