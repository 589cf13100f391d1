// TelecapReport
