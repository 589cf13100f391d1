#!/bin/sh
# A host whose log is a file of text that grows: log_host.sh TELECAP PORT CODE FILE.
# What a simulated host prints is written down in words; distances are in whole millimetres.
value() {
  found=${line#*\"$1\":}
  found=${found%%[,\}]*}
  found=${found#\"}
  found=${found%\"}
}

millimetres() {
  value "$1"
  case $found in -*) sign=- number=${found#-} ;; *) sign= number=$found ;; esac
  case $number in *.*) digits=${number#*.}0000 ;; *) digits=0000 ;; esac
  digits=${digits%"${digits#????}"}
  found=$sign$(((${number%%.*} * 10000 + 1$digits - 10000 + 5) / 10))
}

count=0
"$1" simulate host --transport udp --tele-udp "$2" --code "$3" | while IFS= read -r line; do
  count=$((count + 1))
  case $line in
  *'"pose-applied"'*)
    millimetres x && x=$found && millimetres y && y=$found && millimetres z && z=$found && value seq
    echo "#$count arm goes to $x/$y/$z mm (no. $found)"
    ;;
  *'"changed":true'*)
    value cmd_type && type=$found && value value
    case $type$found in
    11) echo "#$count recording begins" ;;
    10) echo "#$count recording ends" ;;
    21) echo "#$count take is kept" ;;
    20) echo "#$count take is thrown away" ;;
    esac
    ;;
  *'"session-opened"'*) value peer && echo "#$count operator $found takes over" ;;
  *'"session-closed"'*) value reason && echo "#$count operator leaves: $found" ;;
  esac
done >>"$4"
