// Tests of TelecapRecording: addresses and endpoints as text, timestamps at the ends of their range, the words for
// directions, transports and flows.
