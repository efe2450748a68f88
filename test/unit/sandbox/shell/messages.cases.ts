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
]
