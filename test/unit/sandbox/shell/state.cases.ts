// What a shell prints of its functions, jobs, traps and variables, with the output and exit code of bash 5.2.

export const STATE: readonly (readonly [script: string, stdout: string, exitCode: number])[] = [
  [
    'f() { if [ 1 ]; then x; elif a; then b; else y; fi; for i in a b; do echo $i; done; while read l; do echo; done < in > out; case $1 in a) echo;; b|"c d") echo 2;& *) ;; esac; }; declare -f f; k() [[ -n $1 && ( ! -e f || a < b ) ]]; type k; g() { (a; b) 2>&1 | { c; d; } || ! x & for ((i=0; i<3; i++)); do ((x++)); done; h() { e; }; } >&2; declare -f g; declare -F',
    'f () \n{ \n    if [ 1 ]; then\n        x;\n    else\n        if a; then\n            b;\n        else\n            y;\n        fi;\n    fi;\n    for i in a b;\n    do\n        echo $i;\n    done;\n    while read l; do\n        echo;\n    done < in > out;\n    case $1 in \n        a)\n            echo\n        ;;\n        b | "c d")\n            echo 2\n        ;&\n        *)\n\n        ;;\n    esac\n}\nk is a function\nk () \n{ \n    [[ -n $1 && ( ! -e f || a < b ) ]]\n}\ng () \n{ \n    ( a;\n    b ) 2>&1 | { \n        c;\n        d\n    } || ! x & for ((i=0; i<3; i++))\n    do\n        ((x++));\n    done;\n    function h () \n    { \n        e\n    }\n} 1>&2\ndeclare -f f\ndeclare -f g\ndeclare -f k\n',
    0,
  ],
  [
    'f() { x=$(echo  a;  echo b); y="$(cat  <<< "$z")"; a=(1  2 [5]=x); local -a q=(a   b); diff <(sort  a) <( sort b ); echo ${x:-$( echo  y )} \'$(no  x)\'; w=$( (a) ); for x; do time -p c; done; echo >&2 <in >>app &> both >| f 4>&- >&file {fd}>out; }; declare -f f; eval "$(declare -f f | sed "s/^f /g /")"; type -t g',
    'f () \n{ \n    x=$(echo a; echo b);\n    y="$(cat <<< "$z")";\n    a=(1 2 [5]=x);\n    local -a q=(a b);\n    diff <(sort a) <(sort b);\n    echo ${x:-$(echo y)} \'$(no  x)\';\n    w=$( ( a ));\n    for x in "$@";\n    do\n        time -p c;\n    done;\n    echo 1>&2 < in >> app &> both >| f 4>&- >&file {fd}> out\n}\nfunction\n',
    0,
  ],
  [
    'f() { cat <<A && echo yes\na $x\nA\ncat <<B; cat <<-\'C\' > out\nb\nB\n\tc\n\tC\nif x; then cat <<D; fi\nd\nD\n}; declare -f f; g() { x=$(\na\nb; c\n); }; declare -f g; f() { echo "x $1"; }; export -f f; bash -c "$(declare -f f); f y"',
    "f () \n{ \n    cat <<A && \na $x\nA\n echo yes\n    cat <<B\nb\nB\n\n    cat <<-'C' > out\nc\nC\n\n    if x; then\n        cat <<D\nd\nD\n\n    fi\n}\ng () \n{ \n    x=$(a\nb; c)\n}\nx y\n",
    0,
  ],
  [
    'trap \'echo "E: $BASH_COMMAND"\' ERR; ls nonexistent 2>/dev/null; (exit 9); [[ a == b ]]; ((0)); false | false; for i in 1; do false >> f; done; cat < /no 2>&1; a=1 false; trap - ERR; trap \'echo "D: $BASH_COMMAND"\' DEBUG; for i in a b; do echo $i; done; case x in x) :;; esac; [[ a ]]; for ((i=0;i<1;i++)); do :; done; echo a | cat',
    'E: ls nonexistent 2> /dev/null\nE: ( exit 9 )\nE: [[ a == b ]]\nE: ((0))\nE: false\nE: false >> f\nE: cat < /no 2>&1\nE: a=1 false\nD: for i in a b\nD: echo $i\na\nD: for i in a b\nD: echo $i\nb\nD: case x in \nD: :\nD: [[ -n a ]]\nD: ((i=0))\nD: ((i<1))\nD: :\nD: ((i++))\nD: ((i<1))\nD: echo a\nD: cat\na\n',
    0,
  ],
  [
    'sleep 0.2 & (sleep 0.2; true) | cat & jobs; jobs | wc -l; x=$(jobs -p); echo $(wc -w <<< "$x") $(jobs -p | wc -l) $(jobs -l | wc -l); kill $(jobs -p); wait; jobs; { sleep 0.02 && echo done; } & kill $!; wait $!; echo $?',
    '[1]-  Running                 sleep 0.2 &\n[2]+  Running                 ( sleep 0.2; true ) | cat &\n2\n2 2 2\n143\n',
    0,
  ],
  [
    'sleep 600 & kill $!; wait $!; echo $?; (while :; do sleep 0.01; done) & p=$!; (sleep 0.03; kill $p); wait $p; echo $?; { sleep 600; echo no > late; } & kill $!',
    '143\n143\n',
    0,
  ],
  [
    "trap '' TERM; bash -c 'trap \"echo hi\" TERM; kill -TERM $$; echo alive; trap -p; trap - TERM; kill -TERM $$; echo still'; echo $?; trap 'echo x' TERM; bash -c 'trap -p; kill -TERM $$; echo no'; echo $?",
    "alive\ntrap -- '' SIGTERM\nstill\n0\n143\n",
    0,
  ],
  [
    "typeset -a a; declare -p a; declare -A m; declare -p m; a=(); m=(); declare -p a m; declare -a c; c[1]=x; unset c[1]; declare -p c; f() { local -ai l; declare -p l; local x='(1 2)'; local -a y=\"$x\"; declare -p y; }; f; declare -A n='([k]=v)'; declare -p n; s='(1 2)'; declare -a s; declare -p s; declare -A k=([k]='v w' [b]=2); echo \"[${k[@]@K}]\"; export -a e=(1); declare -p e; declare -c t=aBC; echo $t; declare -p t; declare -cl u=AbC; echo $u",
    'declare -a a\ndeclare -A m\ndeclare -a a=()\ndeclare -A m=()\ndeclare -a c=()\ndeclare -ai l\ndeclare -a y=([0]="1" [1]="2")\ndeclare -A n=([k]="v" )\ndeclare -a s=([0]="(1 2)")\n[k "v w" b "2" ]\ndeclare -ax e=([0]="1")\nAbc\ndeclare -c t="Abc"\nAbC\n',
    0,
  ],
  [
    "printf '%Q|%.2Q|%10Q|%.2q|%-8q|\\n' 'a b' 'xyz w' 'a b' 'a b' 'a b'; x=foobar; shopt -u patsub_replacement; echo \"${x/o/<&>}\" ${x//o/\\&} \"${x/o/\"&\"}\" ${x/o/'\\&'}; echo ~root ~nosuch; x=~root:~/y; echo ${x%%:*}; echo \"$SHELLOPTS\" \"${BASH_EXECUTION_STRING:0:6}\"; bash -c 'BASH_ARGV0=foo; echo $0' z; (logout) 2>&1 | sed 's/.*logout/logout/' ",
    "a\\ b|xy|      a\\ b|a\\|a\\ b    |\nf<&>obar f&&bar f&obar f\\&obar\n/root ~nosuch\n/root\nbraceexpand:hashall:interactive-comments printf\nfoo\nlogout: not login shell: use `exit'\n",
    0,
  ],
  [
    'read -t 0.01 q < <(sleep 0.05); echo $?; read -t 0.02 q < <(printf abc; sleep 0.05); echo "$? [$q]"; { read -t 0.01 a; echo $?; read b; echo $b; } < <(sleep 0.03; echo later); read -t 1 -n 2 q <<< xyz; echo "$? $q"; test -p /dev/stdin < <(:) && echo pipe; echo | { [ -p /dev/stdin ] && [ ! -f /dev/stdin ] && echo pipe2; }; [ -p /dev/stdin ] < /dev/null || echo no; [ -c /dev/null ] && echo c; echo x > f; [ -f /dev/stdin ] < f && [ -s /dev/stdin ] < f && echo file',
    '142\n142 [abc]\n142\nlater\n0 xy\npipe\npipe2\nno\nc\nfile\n',
    0,
  ],
  // What GNU's commands print.
  [
    'echo a | awk \'{print FILENAME, ARGV[0], PROCINFO["FS"], length(PROCINFO["argv"])}\' FPAT=[a-z]; gawk \'BEGIN{IGNORECASE=1; print ("abc" < "ABD"), ("a" == "A"), ("A" in x); c[1]="b";c[2]="A"; asort(c); print c[1]; switch("A"){case "a": print "sw"} printf "%\'"\'"\'d\\n", 1234567}\'; printf "%\'d\\n" 1234567; printf \'1\\nM\\n3\\nM\\n\' > g; grep -C0 M g; grep -0 -n M g; csplit g \'/no/\' 2>&1; ls xx* 2>/dev/null; printf \'>>>?\\377\' | basenc --base64url; printf hi | basenc --base32hex; printf \'6869\' | basenc --base16 -d; printf \'Pj4+\' | basenc -d --base64url 2>/dev/null; echo $?; unlink g; ls; unlink g 2>&1; tty; arch',
    "- awk FPAT 3\n1 1 0\nA\nsw\n1234567\n1234567\nM\n--\nM\n2:M\n--\n4:M\ncsplit: ‘/no/’: match not found\n8\nPj4-P_8=\nD1KG====\nhi1\nunlink: cannot unlink 'g': No such file or directory\nnot a tty\nx86_64\n",
    0,
  ],
]
