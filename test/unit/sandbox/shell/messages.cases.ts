// Error messages, as bash 5.2 and GNU's commands print them.

export const MESSAGES: readonly (readonly [script: string, stdout: string, exitCode: number])[] = [
  [
    'exec 2>&1; set -u; f() { echo $2; }\n(echo $1); (echo ${1}); (echo "$2"); (f x); (echo ${1#x}); (echo ${#1}); (echo $!); (echo $a); (echo ${a[3]}); (echo ${#a[1]}); (x=a; echo ${!x}); (echo ${1?})',
    'bash: line 2: $1: unbound variable\nbash: line 2: 1: unbound variable\nbash: line 2: $2: unbound variable\nenvironment: line 1: $2: unbound variable\nbash: line 2: 1: unbound variable\nbash: line 2: 1: unbound variable\nbash: line 2: $!: unbound variable\nbash: line 2: a: unbound variable\nbash: line 2: a[3]: unbound variable\nbash: line 2: a: unbound variable\nbash: line 2: !x: unbound variable\nbash: line 2: 1: parameter not set\n',
    1,
  ],
  [
    'exec 2>&1; source no; echo $?; . ./no/x; . /; source; echo $?; source -x f; echo $?',
    'bash: line 1: no: No such file or directory\n1\nbash: line 1: ./no/x: No such file or directory\nbash: line 1: .: /: is a directory\nbash: line 1: source: filename argument required\nsource: usage: source filename [arguments]\n2\nbash: line 1: source: -x: invalid option\nsource: usage: source filename [arguments]\n2\n',
    0,
  ],
  [
    'exec 2>&1; : > f; mkdir d; echo x > f/a; echo x >> f/a/b; cat < f/a; cat f/a d/no/x; source f/a; wc -l f/a/b; rm -f f/a; echo $?; [ -e f/a ]; echo $?',
    'bash: line 1: f/a: Not a directory\nbash: line 1: f/a/b: Not a directory\nbash: line 1: f/a: Not a directory\ncat: f/a: Not a directory\ncat: d/no/x: No such file or directory\nbash: line 1: f/a: Not a directory\nwc: f/a/b: Not a directory\n0\n1\n',
    0,
  ],
  // Line ends of Windows, in scripts and in data.
  [
    "exec 2>&1; w() { printf \"$1\" > s.sh; bash s.sh; echo \"rc $?\"; }; w 'echo a\\r\\n\\r\\necho b\\r\\n'; w 'echo s\\r\\nfor i in a; do\\r\\n echo\\r\\ndone\\r\\n'; w 'if true; then\\r\\n echo\\r\\nfi\\r\\n'; w 'cd /no\\r\\nexit 0\\r\\n'; w 'fi\\r\\n'; printf '#!/bin/bash\\r\\n' > s; chmod +x s; ./s; echo $?; printf '#!/usr/bin/env python3\\r\\n' > s; ./s; echo $?",
    "a\r\ns.sh: line 2: $'\\r': command not found\nb\r\nrc 0\ns\r\ns.sh: line 2: syntax error near unexpected token `$'do\\r''\ns.sh: line 2: `for i in a; do\r'\nrc 2\ns.sh: line 4: syntax error: unexpected end of file\nrc 2\ns.sh: line 1: cd: $'/no\\r': No such file or directory\ns.sh: line 2: exit: 0\r: numeric argument required\nrc 2\ns.sh: line 1: $'fi\\r': command not found\nrc 127\nbash: line 1: ./s: cannot execute: required file not found\n127\n/usr/bin/env: ‘python3\\r’: No such file or directory\n/usr/bin/env: use -[v]S to pass options in shebang lines\n127\n",
    0,
  ],
  [
    "exec 2>&1; x=$'5\\r'; [ \"$x\" -eq 5 ]; echo $?; [[ $x -eq 5 ]]; echo $?; (( x == 5 )); echo $?; (echo $((x + 1))); (declare -i n; n=$x); for c in $'\\v5' $'5\\f' $'\\r5' '5 ' $'5\\n' $'\\u00a05'; do [ \"$c\" -eq 5 ]; echo $?; done; printf '%d|' $'\\r5' $'5\\r' $'\\u00a05'; shift $'0\\r'; (exit $'3\\r'); echo $?; printf 'a\\r\\nb\\vc\\n' | xargs -n1 | od -c; x=$'a\\u3000b'; set -- $x; echo $# a　b",
    'bash: line 1: [: 5\r: integer expression expected\n2\nbash: line 1: [[: 5\r: syntax error: invalid arithmetic operator (error token is "\r")\n1\nbash: line 1: ((: 5\r: syntax error: invalid arithmetic operator (error token is "\r")\n1\nbash: line 1: 5\r: syntax error: invalid arithmetic operator (error token is "\r")\nbash: line 1: 5\r: syntax error: invalid arithmetic operator (error token is "\r")\n0\nbash: line 1: [: 5\f: integer expression expected\n2\n0\n0\nbash: line 1: [: 5\n: integer expression expected\n2\nbash: line 1: [: \u00a05: integer expression expected\n2\nbash: line 1: printf: 5\r: invalid number\nbash: line 1: printf: \u00a05: invalid number\n5|5|0|bash: line 1: shift: 0\r: numeric argument required\nbash: line 1: exit: 3\r: numeric argument required\n2\n0000000   a  \\r  \\n   b  \\v   c  \\n\n0000007\n1 a　b\n',
    0,
  ],
  [
    "exec 2>&1; mkdir d; head no; head d; tail no; sort no; sort d; printf 'x=1\\n(' > f; bash f; printf 'if true\\n' > f; bash f; printf 'echo $(a' > f; bash f; echo $?",
    "head: cannot open 'no' for reading: No such file or directory\nhead: error reading 'd': Is a directory\ntail: cannot open 'no' for reading: No such file or directory\nsort: cannot read: no: No such file or directory\nsort: read failed: d: Is a directory\nf: line 3: syntax error: unexpected end of file\nf: line 2: syntax error: unexpected end of file\nf: line 2: unexpected EOF while looking for matching `)'\n2\n",
    0,
  ],
  // A function belongs to the file that defines it.
  [
    'exec 2>&1; mkdir lib; cat > lib/l.sh <<\'X\'\nf() { echo "${BASH_SOURCE[*]} ${FUNCNAME[*]} ${BASH_LINENO[*]}"; nosuch; basename "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"; caller; caller 0; caller 1; echo $?; }\necho "${BASH_SOURCE[*]} ${FUNCNAME[0]-none}"\nX\nprintf \'. lib/l.sh\\nh() { f; }\\nh\\ncaller\\n\' > m.sh; bash m.sh; . lib/l.sh; f; caller; echo $?',
    'lib/l.sh m.sh none\nlib/l.sh m.sh m.sh f h main 2 3 0\nlib/l.sh: line 1: nosuch: command not found\nlib\n2 m.sh\n2 h m.sh\n3 main m.sh\n0\n0 NULL\nlib/l.sh none\nlib/l.sh f 5\nlib/l.sh: line 1: nosuch: command not found\nlib\n5 NULL\n1\n1\n',
    0,
  ],
]
