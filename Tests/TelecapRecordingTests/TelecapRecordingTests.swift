// Tests of TelecapRecording: addresses and endpoints as text, timestamps at the ends of what they hold, the words for
// directions, carriers and flows.
