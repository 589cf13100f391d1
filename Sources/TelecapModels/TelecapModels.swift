// TelecapModels
