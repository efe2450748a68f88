// Scripts with the output and exit code of bash 5.2.

export const SCRIPTS: readonly (readonly [script: string, stdout: string, exitCode: number])[] = [
  [
    "umask 077; echo a > f; mkdir -p d/e; chmod +x f; bash -c 'touch g'; (umask 2; seq 2 | split -l1 - x); stat -c %a f d d/e g xaa; umask -S; umask u=rwx,g=rx,o=; umask; umask 08; echo $?; umask 22; chmod 777 f; cp f h; cp -p f i; umask 077; cp f j; cp f h; chmod 755 d; cp -r d k; stat -c %a h i j k",
    '700\n700\n700\n600\n664\nu=rwx,g=,o=\n0027\n1\n755\n777\n700\n700\n',
    0,
  ],
  [
    'x=; printf "<%s>" "${x/*/Z}" "${x//*/Z}" "${x/?/Z}" "${x/a/Z}"; unset x; printf "<%s>" "${x/*/Z}"; shopt -s extglob; x=ab; printf "<%s>" "${x/*(c)/Z}" "${x//*(c)/Z}"',
    '<Z><Z><><><><Zab><ZaZb>',
    0,
  ],
  [
    "printf '%d %x|' '' '' 010 0x1f; echo $?; printf '%d|' 08 018 0 2> /dev/null; echo $?",
    '0 0|8 1f|0\n0|1|0|1\n',
    0,
  ],
  [
    'seq 3 > f; tee f < f; wc -c < f; seq 3 > f; cat < f > f; wc -c < f; seq 3 > f; while read -r x; do echo "$x"; done < f > f; wc -c < f; seq 3 > f; dd if=f of=f status=none; wc -c < f',
    '0\n0\n0\n0\n',
    0,
  ],
  [
    'seq 3 > f; cat f >> f; echo $?; cat - < f >> f; echo $?; cat * > all; cat * > all; echo $?; wc -l f all; grep 1 f >> f; echo $?; grep -r 1 . > out; echo $?; grep -c 1 < f >> f; cat f',
    '1\n1\n0\n 3 f\n 3 all\n 6 total\n2\n2\n1\n2\n3\n1\n',
    0,
  ],
  [
    'seq 3 > f; ln -s f l; mv l f; echo $?; cp -P l f; echo $?; ln -sf l f; echo $?; mv -n l f; echo $?; cat l; ln -s no d; cp f d; echo $?; cp -P d e; cp -P l e; echo $?; readlink e; uniq nope f; wc -l < f',
    '1\n1\n1\n0\n1\n2\n3\n1\n0\nf\n3\n',
    0,
  ],
  [
    'mkdir s; echo x > f; ln -s s k; cp -r s k; echo $?; cp f new/; echo $?; cat f/; echo $?; : > n/; echo $?; [ -f f/ ]; echo $?; touch t/; echo $?; rm -r k/; echo $?; ls; ls -ld k/ | cut -c1; wc -c s f 2> /dev/null; sed p s; echo $?',
    '1\n1\n1\n1\n1\n1\n1\nf\nk\ns\nd\n      0 s\n      2 f\n      2 total\n4\n',
    0,
  ],
  // A failed expansion ends the line, or the subshell, wherever the word is.
  ['a=(); printf "<%s>" "${a[@]:=q r}"; echo no\necho "$?"', '1\n', 0],
  ['a=(); (: "${a[@]:=x}"; echo no); echo $?; (: ${1:=x}; echo no); echo $?', '2\n1\n', 0],
  ['declare -A m; : "${m[@]:=x}"; declare -p m', 'declare -A m=(["@"]="x" )\n', 0],
  ['p="a[0]"; : ${!p:=x}; echo no\necho "${a[@]}$?"', '1\n', 0],
  ['[[ ${1:=x} ]]; echo no\n: > ${x!}; echo no\nexport x=$((1/0)); echo no\n(( ${x!} )); echo no', '', 1],
  [
    'cat > ${x!}; echo $?; cat <<< ${x!}; echo $?; (echo) < ${x!}; echo $?; [[ 1/0 -eq 1 ]]; echo $?',
    '1\n1\n1\n1\n',
    0,
  ],
  [
    'echo "a  b" c\\ d \'e"f\' $\'x\\ty\' "$((1+2))" `echo bt` "$(echo "n $(echo m)")"',
    'a  b c d e"f x\ty 3 bt n m\n',
    0,
  ],
  [
    'x=5; echo $x ${x} "${x}" \'$x\' \\$x "$x$x"; unset x; echo "[${x-d}][${x:-e}][${x+s}]"',
    '5 5 5 $x $x 55\n[d][e][]\n',
    0,
  ],
  [
    'set -- a "b c" d; echo $# "$@" $*; for i in "$@"; do echo "<$i>"; done; for i in $*; do echo "($i)"; done; shift 2; echo "$1"',
    '3 a b c d a b c d\n<a>\n<b c>\n<d>\n(a)\n(b)\n(c)\n(d)\nd\n',
    0,
  ],
  [
    'IFS=,; set -- a b; echo "$*" "$@"; x="1,2,,3"; for i in $x; do echo "[$i]"; done',
    'a,b a b\n[1]\n[2]\n[]\n[3]\n',
    0,
  ],
  [
    "IFS=' ,'; x='a , b  c,,d '; for i in $x; do echo \"[$i]\"; done; unset IFS; y=$'p q\\nr'; for i in $y; do echo \"{$i}\"; done",
    '[a]\n[b]\n[c]\n[]\n[d]\n{p}\n{q}\n{r}\n',
    0,
  ],
  [
    'a=(1 "2 3" 4); echo "${a[@]}" "${#a[@]}" "${a[1]}" "${a[-1]}" "${!a[@]}"; a+=(5); a[9]=z; echo "${!a[@]}"; unset \'a[1]\'; echo "${a[@]:1:2}" "${a[@]: -1}"',
    '1 2 3 4 3 2 3 4 0 1 2\n0 1 2 3 9\n4 5 z\n',
    0,
  ],
  [
    'declare -A m=([k]=v ["a b"]="c d"); m[x]=1; m[x]+=2; for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done | sort; echo ${#m[@]}; unset \'m[k]\'; echo "${m[k]-gone}"',
    'a b=c d\nk=v\nx=12\n3\ngone\n',
    0,
  ],
  [
    'declare -A h; for i in {1..30}; do h[key$i]=$i; done; echo "${!h[@]}"; echo "${h[@]}"',
    'key30 key6 key7 key4 key5 key2 key3 key1 key8 key9 key28 key29 key24 key25 key26 key27 key20 key21 key22 key23 key15 key14 key17 key16 key11 key10 key13 key12 key19 key18\n30 6 7 4 5 2 3 1 8 9 28 29 24 25 26 27 20 21 22 23 15 14 17 16 11 10 13 12 19 18\n',
    0,
  ],
  [
    's=path/to/file.tar.gz; echo ${s%.*} ${s%%.*} ${s#*/} ${s##*/} ${s/to/from} ${s//a/A} ${s/#path/p} ${s/%gz/xz} ${#s} ${s:5} ${s:5:2} ${s: -2} ${s:0:-3}',
    'path/to/file.tar path/to/file to/file.tar.gz file.tar.gz path/from/file.tar.gz pAth/to/file.tAr.gz p/to/file.tar.gz path/to/file.tar.xz 19 to/file.tar.gz to gz path/to/file.tar\n',
    0,
  ],
  [
    'v=hello; echo ${v^} ${v^^} ${v^^[el]} ${v@U} ${v@u} ${v@Q}; V=ABC; echo ${V,} ${V,,} ${V~~} ${V@L}',
    "Hello HELLO hELLo HELLO Hello 'hello'\naBC abc abc abc\n",
    0,
  ],
  [
    'x=abcabc; echo ${x//b/[&]} ${x//b/[\\&]} ${x//[bc]/-} ${x/b?/_} ${x#a*b} ${x##a*b} ${x%b*} ${x%%b*}',
    'a[b]ca[b]c a[&]ca[&]c a--a-- a_abc cabc c abca a\n',
    0,
  ],
  [
    'echo {a,b,c}{1,2} {1..5} {5..1..2} {01..03} {a..e..2} pre{x,y}post {a,{b,c}}d {} {a} "{a,b}" \\{a,b}',
    'a1 a2 b1 b2 c1 c2 1 2 3 4 5 5 3 1 01 02 03 a c e prexpost preypost ad bd cd {} {a} {a,b} {a,b}\n',
    0,
  ],
  [
    'echo $((7/2)) $((-7/2)) $((-7%3)) $((2**10)) $((0xff)) $((010)) $((2#101)) $((36#zz)) $((1<<4|3)) $((5>3?10:20)) $((~5)) $((!3)) $((9223372036854775807+1))',
    '3 -3 -1 1024 255 8 5 1295 19 10 -6 0 -9223372036854775808\n',
    0,
  ],
  [
    "x=5; echo $((x++)) $((++x)) $((x--)) $x $((x+=3, x*2)) $((y=4)) $y $((x>4&&y<3)); ((x==8)) && echo yes; let 'z=x*2' z--; echo $z",
    '5 7 7 6 18 4 4 0\n17\n',
    0,
  ],
  [
    "x=08; echo $((10#$x + 1)); a=(3 4); i=1; echo $((a[i]+a[0])); ((a[i]++)); echo ${a[1]}; e='1+2'; echo $((e*2))",
    '9\n7\n5\n6\n',
    0,
  ],
  [
    '[[ abc == a* ]] && echo glob; [[ abc == "a*" ]] || echo literal; [[ 2024-03-15 =~ ^([0-9]+)-([0-9]+) ]] && echo "${BASH_REMATCH[@]}"; [[ -z "" && ! -e nope && 10 -gt 9 && b > a ]] && echo ok; [[ x == @(x|y) ]] && echo ext',
    'glob\nliteral\n2024-03 2024 03\nok\next\n',
    0,
  ],
  [
    '[ 1 -eq 1 -a 2 -lt 3 ] && echo and; [ ! "" ] && echo not; [ a \\< b ]; echo $?; test -n x -o -z x && echo or; [ 1 -eq a ] 2>/dev/null; echo $?; [ a b ] 2>/dev/null; echo $?',
    'and\nnot\n0\nor\n2\n2\n',
    0,
  ],
  [
    'case foo.txt in *.md) echo md;; *.txt|*.log) echo text;; *) echo other;; esac; case x in x) echo one;;& ?) echo two;& z) echo three;; *) echo no;; esac',
    'text\none\ntwo\nthree\n',
    0,
  ],
  [
    'for ((i=0;i<3;i++)); do echo -n "$i "; done; echo; i=3; while ((i>0)); do ((i--)); ((i==1)) && continue; echo $i; done; until [ $i -ge 2 ]; do i=$((i+1)); done; echo $i',
    '0 1 2 \n2\n0\n2\n',
    0,
  ],
  [
    'for a in x y; do for b in 1 2 3; do [ $b = 2 ] && continue 2; echo $a$b; done; done; for a in 1 2; do for b in 1 2; do break 2; done; done; echo $a$b',
    'x1\ny1\n11\n',
    0,
  ],
  [
    'f() { local x=in; echo "$x $1 $#"; return 3; }; x=out; f a b; echo "$? $x"; g() { x=changed; }; g; echo $x; h() { f "$@"; }; h q',
    'in a 2\n3 out\nchanged\nin q 1\n',
    3,
  ],
  [
    'f() { local -a l=(1 2); local -i n=2+3; echo "${l[@]} $n"; }; f; declare -i n=4*2; n+=1; echo $n; declare -l low=ABC; declare -u up=abc; echo $low $up; readonly r=1; (r=2) 2>/dev/null; echo $?',
    '1 2 5\n9\nabc ABC\n1\n',
    0,
  ],
  [
    'fact() { (($1<=1)) && echo 1 || echo $(($1 * $(fact $(($1-1))))); }; fact 10; declare -n ref=fact_var; ref=7; echo $fact_var; unset -n ref',
    '3628800\n7\n',
    0,
  ],
  [
    "printf '%s-%d|%5s|%-5s|%05d|%x|%o|%X|%c|%%|%e|%.2f|%g\\n' a 5 r l 42 255 8 255 hello 12345.678 2.005 0.0001; printf '%s %s\\n' 1 2 3; printf '%b' 'a\\tb\\n'; printf '%q ' 'a b' \"it's\" '' $'\\n'; echo; printf -v v '%03d' 7; echo $v",
    "a-5|    r|l    |00042|ff|10|FF|h|%|1.234568e+04|2.01|0.0001\n1 2\n3 \na\tb\na\\ b it\\'s '' $'\\n' \n007\n",
    0,
  ],
  [
    "printf '%d %d %d\\n' 0x1f 010 \"'A\"; printf '[%*s][%-*s][%.3s]\\n' 6 ab 6 cd abcdef; printf '%(%Y-%m-%d)T\\n' 0; printf '%5.1f|%+d|% d\\n' 3.14159 5 5; printf '%s\\n'; printf '\\x41\\101\\n'",
    '31 8 65\n[    ab][cd    ][abc]\n1970-01-01\n  3.1|+5| 5\n\nAA\n',
    0,
  ],
  [
    "echo -e 'a\\tb\\nc\\\\d\\x41\\0101'; echo -n x; echo; echo -e 'stop\\chere'; echo; echo -E 'a\\tb'; echo -- -n; echo -ne 'q\\n'",
    'a\tb\nc\\dAA\nx\nstop\na\\tb\n-- -n\nq\n',
    0,
  ],
  [
    'cat <<< "here $((1+1))"; read -r a b <<< "x y z"; echo "$a|$b"; IFS=: read -r p q <<< "1:2:3"; echo "$p|$q"; read -ra l <<< "a b c"; echo ${#l[@]}; IFS= read -r w <<< "  sp  "; echo "[$w]"',
    'here 2\nx|y z\n1|2:3\n3\n[  sp  ]\n',
    0,
  ],
  [
    "printf 'a b\\\\\\nc\\n' | { read x y; echo \"$x|$y\"; }; printf 'a\\\\tb\\n' | { read -r x; echo \"$x\"; }; printf 'abc' | { read x; echo \"$? $x\"; }; printf 'k=v;' | { IFS== read -r -d ';' k v; echo \"$k:$v\"; }; echo abcdef | { read -n 3 x; echo $x; }",
    'a|bc\na\\tb\n1 abc\nk:v\nabc\n',
    0,
  ],
  [
    'mapfile -t l < <(printf \'a\\nb\\nc\\n\'); echo "${#l[@]} ${l[1]}"; mapfile -t -s 1 -n 1 k <<< $\'1\\n2\\n3\'; echo "${k[@]}"; readarray -d , -t c <<< \'x,y\'; echo "${c[0]}"',
    '3 b\n2\nx\n',
    0,
  ],
  [
    'echo out > f; echo more >> f; cat f; { echo a; echo b >&2; } > o 2> e; cat o e; echo both &> b; cat b; cat < f | wc -l; echo x 2>&1 >/dev/null; : > f; cat f; exec 3> g; echo to3 >&3; exec 3>&-; cat g',
    'out\nmore\na\nb\nboth\n2\nto3\n',
    0,
  ],
  [
    ': >> a; printf "" | tee -a b; { ls c; } >> c; exec 3>> d; false >> e; echo 1 >> a; : >> a; cat a; ls [a-e]',
    '1\na\nb\nc\nd\ne\n',
    0,
  ],
  [
    'alias ll="ls -l" a=$HOME g="it\'s"; (alias a=2; alias a); alias g ll; unalias ll; alias no || alias -p; shopt expand_aliases xpg_echo',
    "alias a='2'\nalias g='it'\\''s'\nalias ll='ls -l'\nalias a='/mnt/user-data/workspace'\nalias g='it'\\''s'\nexpand_aliases \toff\nxpg_echo       \toff\n",
    1,
  ],
  [
    '{ echo a; echo b >&2; } 2>&1 1>/dev/null; exec 4< <(printf \'1\\n2\\n\'); read -u 4 x; read y <&4; echo "$x$y"; exec 4<&-; echo d 1>&2 2>/dev/null; echo e {fd}> h; set -C; echo 1 > n; echo 2 > n 2>/dev/null || echo kept; echo 3 >| n; cat n',
    'b\n12\ne\nkept\n3\n',
    0,
  ],
  [
    "x=$(cat <(echo a) <(echo b)); echo \"$x\"; comm -12 <(printf '1\\n2\\n') <(printf '2\\n3\\n'); while read -r l; do n=$((n+l)); done < <(printf '1\\n2\\n'); echo $n",
    'a\nb\n2\n3\n',
    0,
  ],
  [
    '(x=1; cd /tmp; exit 3); echo "$? ${x-unset}"; { y=2; }; echo $y; echo $(exit 4)$?; z=$(false); echo $?; false | true; echo $? ${PIPESTATUS[@]}; set -o pipefail; false | true; echo $?',
    '3 unset\n2\n4\n1\n0 1 0\n1\n',
    0,
  ],
  [
    'true && echo a || echo b; false && echo c || echo d; ! true; echo $?; true; echo $?; ! false && echo neg; false || { echo grp; false; } || echo last',
    'a\nd\n1\n0\nneg\ngrp\nlast\n',
    0,
  ],
  [
    'set -e; f() { false; echo in; }; f || echo caught; if f; then echo t; fi; false || true; x=$(false) || echo sub; (false) || echo par; false && true; echo still; false; echo never',
    'in\nin\nt\nsub\npar\nstill\n',
    1,
  ],
  ['set -e; x=$(false); echo never', '', 1],
  ['set -eu; echo "${nope:-d}"; echo "$nope"; echo never', 'd\n', 1],
  ['set -euo pipefail; trap \'echo "exit $?"\' EXIT; false | true; echo never', 'exit 1\n', 1],
  [
    "trap 'echo bye' EXIT; trap 'echo err' ERR; false; (trap 'echo sub' EXIT; exit 2); echo $?; f() { false; }; f; if false; then :; fi; false || true; exit 5",
    'err\nsub\nerr\n2\nerr\nbye\n',
    5,
  ],
  [
    "trap 'echo int' INT USR1; kill -USR1 $$; kill -INT $$; trap - INT; trap; trap '' TERM; kill -TERM $$; echo alive; f() { trap 'echo ret' RETURN; echo body; }; f",
    "int\nint\ntrap -- 'echo int' SIGUSR1\nalive\nbody\nret\n",
    0,
  ],
  [
    'set -x; a=1; echo "$a b" \'c d\'; [[ $a == 1 ]]; ((a+1)); for i in 1; do :; done; x=$(echo s); set +x',
    '1 b c d\n',
    0,
  ],
  ["set -x; PS4='${x?no} '; echo hi; set -u; PS4='$y'; echo there", 'hi\nthere\n', 0],
  [
    'echo start; sleep 0.01 & p=$!; wait $p; echo $?; (exit 3) & wait $!; echo $?; { echo bg; } & wait; [ -n "$!" ] && echo id',
    'start\n0\n3\nbg\nid\n',
    0,
  ],
  [
    'while getopts ":ab:" o -a -b val -x; do case $o in a) echo A;; b) echo "B=$OPTARG";; \\?) echo "bad $OPTARG";; esac; done; shift $((OPTIND-1)); echo "$OPTIND"',
    'A\nB=val\nbad x\n5\n',
    0,
  ],
  [
    'cd /tmp; pwd; cd /; pwd; cd - > /dev/null; pushd /usr > /dev/null; popd > /dev/null; cd - > /dev/null; cd nowhere 2>/dev/null || echo "rc $?"; type -t cd if f cat; command -v cd; f() { :; }; type -t f',
    '/tmp\n/\nrc 1\nbuiltin\nkeyword\nfile\ncd\nfunction\n',
    0,
  ],
  [
    'for f in a.txt b.txt c.md .hid; do : > $f; done; echo *.txt; echo *; echo .h*; echo [ab].*; echo *.none; shopt -s nullglob; echo *.none end; shopt -s dotglob; echo *; shopt -u dotglob; set -f; echo *.txt',
    'a.txt b.txt\na.txt b.txt c.md\n.hid\na.txt b.txt\n*.none\nend\n.hid a.txt b.txt c.md\n*.txt\n',
    0,
  ],
  [
    ": > 1.c; : > .h; echo *; echo /us*/b*/c[a]t; : > x1; : > x22; : > y; shopt -s extglob nocaseglob; eval 'echo x+([0-9]) !(x*|1*); echo @(X1|y)'",
    '1.c\n/usr/bin/cat\nx1 x22 y\nx1 y\n',
    0,
  ],
  [
    "eval 'x=\"a b\"; echo $x'; c='echo hi'; $c; \"$c\" 2>/dev/null; echo $?; cmd=(printf '<%s>' 'a b' c); \"${cmd[@]}\"; echo; echo 'echo src $1' > s; . ./s arg; source ./s; bash -c 'echo $0 $1' n a; bash s q",
    'a b\nhi\n127\n<a b><c>\nsrc arg\nsrc\nn a\nsrc q\n',
    0,
  ],
  [
    'n=5; f() { if (($1 > 0)); then echo $1; f $(($1-1)); fi; }; f $n; g() { echo "$FUNCNAME ${FUNCNAME[1]}"; }; h() { g; }; h; echo "${#FUNCNAME[@]}"',
    '5\n4\n3\n2\n1\ng h\n0\n',
    0,
  ],
  [
    "export A=1; B=2; bash -c 'echo \"[$A][$B]\"'; B=3 bash -c 'echo \"[$B]\"'; echo $B; env C=4 bash -c 'echo $C'; export -n A; bash -c 'echo \"[$A]\"'; f() { echo \"f $1\"; }; export -f f; bash -c 'f x'",
    '[1][]\n[3]\n2\n4\n[]\nf x\n',
    0,
  ],
  [
    'x=\'*\'; echo "$x" \\* \'*\'; y=\'a   b\'; echo $y "$y"; z=; echo [$z] ["$z"] ${z:-e}; q="it\'s"; echo "$q" ${q@Q}; echo "a\\"b" \'a\\b\' "a\\\\b" "\\$x" "\\`"',
    "* * *\na b a   b\n[] [] e\nit's 'it'\\''s'\na\"b a\\b a\\b $x `\n",
    0,
  ],
  [
    "echo 'héllo wörld' | wc -m; s=naïve; echo ${#s} ${s:2:1} ${s^^}; for ((i=0;i<${#s};i++)); do echo -n \"${s:i:1}.\"; done; echo; printf '%s|%5s|\\n' é é; [[ é == ? ]] && echo one",
    '12\n5 ï NAÏVE\nn.a.ï.v.e.\né|   é|\none\n',
    0,
  ],
  [
    'declare -p nope 2>/dev/null || echo none; a=(1 \'x y\'); declare -p a; declare -i i=3; declare -p i; declare -A m=([k]=v); declare -p m; r=\'q"$\'; declare -p r; declare -x e=1; declare -p e; echo "${a[@]@Q}" "${a[@]@A}"',
    'none\ndeclare -a a=([0]="1" [1]="x y")\ndeclare -i i="3"\ndeclare -A m=([k]="v" )\ndeclare -- r="q\\"\\$"\ndeclare -x e="1"\n\'1\' \'x y\' declare -a a=([0]="1" [1]="x y")\n',
    0,
  ],
  [
    'echo $0 $# "$-" | sed \'s/[^ ]*$//\'; echo ${BASH_VERSINFO[0]} $BASH_SUBSHELL; (echo $BASH_SUBSHELL); RANDOM=42; echo $RANDOM $RANDOM; echo $LINENO; echo $SECONDS; echo ${#PWD} | wc -l',
    'bash 0 \n5 0\n1\n17772 26794\n1\n0\n1\n',
    0,
  ],
  [
    'if false; then echo a; elif true; then echo b; else echo c; fi; if ! true; then :; else echo "else $?"; fi; while false; do :; done; echo $?; if read -r l < /dev/null; then :; else echo "rc $?"; fi',
    'b\nelse 1\n0\nrc 1\n',
    0,
  ],
  ['echo a; echo b; ) echo c', '', 2],
  [
    'echo a | while read -r l; do echo "got $l"; done; x=1; echo b | { read -r y; x=$y; echo "in $x"; }; echo "out $x"; shopt -s lastpipe; echo c | read -r z; echo "z=$z"',
    'got a\nin b\nout 1\nz=c\n',
    0,
  ],
  [
    'echo one two | { read -r a b; echo "$b $a"; }; seq 3 | { sum=0; while read -r n; do sum=$((sum+n)); done; echo $sum; }; printf \'%s\\n\' c a b | sort | head -n 2 | paste -sd,',
    'two one\n6\na,b\n',
    0,
  ],
  [
    'let x=3+4 y=x*2; echo $x $y; ((x>5)) && echo gt; ((0)); echo $?; $((1)) 2>/dev/null; echo $?; echo $((1/0)) 2>/dev/null; echo after',
    '7 14\ngt\n1\n127\n',
    1,
  ],
  [': ${v:=set}; echo $v; ${u:?gone} 2>/dev/null; echo never', 'set\n', 127],
  [
    's=\'a,b;c\'; IFS=\',;\' read -r x y z <<< "$s"; echo "$x$y$z"; arr=(${s//[,;]/ }); echo ${#arr[@]}; joined=$(IFS=+; echo "${arr[*]}"); echo $joined; printf \'%s\\n\' "${arr[@]/#/p-}" "${arr[@]%b}"',
    'abc\n3\na+b+c\np-a\np-b\np-c\na\n\nc\n',
    0,
  ],
  [
    'x=abc; [ "$x" = abc ] && [ -n "$x" ] && echo "ok"; y=${x:+yes}; echo $y; echo "${x:1:1}${x: -1}"; i=1; echo "${x:i:1}"; echo "${#x}" "${x/b/}" "${x//[ac]}"; [ -z "${w+x}" ] && echo unset',
    'ok\nyes\nbc\nb\n3 ac b\nunset\n',
    0,
  ],
  [
    'f() { echo "args: $@" >&2; return 1; }; f a b 2>&1 | tr a-z A-Z; f x 2>/dev/null || echo failed; out=$(f y 2>&1); echo "$out"',
    'ARGS: A B\nfailed\nargs: y\n',
    0,
  ],
  [
    'export ZA=1; zz=2; zf() { :; }; zg() { :; }; declare -a zl=(1); compgen -e Z; compgen -v z; compgen -A function; compgen -A arrayvar z; compgen -k wh; compgen -b pu; compgen -c shu',
    'ZA\nzl\nzz\nzf\nzg\nzl\nwhile\npushd\nshuf\n',
    0,
  ],
  [
    'compgen -W "aa ab bb" -P "<" -S ">" a; compgen -v nosuch; echo $?; compgen -A nosuch 2>&1; echo $?; compgen -q 2>&1 | head -1; compgen; echo $?',
    '<aa>\n<ab>\n1\nbash: line 1: compgen: nosuch: invalid action name\n2\nbash: line 1: compgen: -q: invalid option\n0\n',
    0,
  ],
  ['echo a; \necho b; # c\necho c & \nwait; ', 'a\nb\nc\n', 0],
  [
    'seq 9 | shuf --random-source=<(yes 42) | xargs; seq 99 | shuf -n 4 --random-source=<(yes 7) | xargs',
    '8 7 4 5 6 1 9 3 2\n95 18 33 19\n',
    0,
  ],
  // In the locale C, a character is a byte.
  [
    "printf 'naïve é\\n' | LC_ALL=C awk '{print length($0), index($0, \"v\"), toupper($0)}'",
    '9 5 NAïVE é\n',
    0,
  ],
  ["printf 'naïve é\\n' | LC_ALL=C sed 's/ï/i/; s/[^a-z ]/?/g; s/v./X/'", 'naiX ??\n', 0],
  ["printf 'naïve é\\n' | LC_ALL=C grep -oP '[\\x80-\\xff]' | wc -l", '4\n', 0],
  [
    "printf 'naïve é\\n' | LC_ALL=C grep -c '^.........$'; printf 'naïve é\\n' | LC_ALL=C wc -m",
    '1\n10\n',
    0,
  ],
  [
    "printf 'naïve é\\n' | LC_ALL=C grep '[^ -~]'; printf 'a\\xffb\\n' | LC_ALL=C grep -c b",
    'naïve é\n1\n',
    0,
  ],
  ["printf '%b' 'a\\tb\\n\\0101\\n' 'c\\cignored'; echo no", 'a\tb\nA\ncno\n', 0],
  [
    "echo 1.20 | numfmt; seq 0.05 0.35 3 | numfmt --format=%.1f | paste -sd' '; echo 1000 | numfmt --to-unit=7 --format=%.3f",
    '1.21\n0.1 0.4 0.8 1.1 1.5 1.8 2.2 2.5 2.9\n142.858\n',
    0,
  ],
  [
    'mkdir s; touch s/f; tar -cf - s | tar -xf - -C nope 2>&1; d=$(mktemp -d -p . wk.XXXX); stat -c \'%a %F\' "$d"',
    'tar: nope: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n700 directory\n',
    0,
  ],
]
