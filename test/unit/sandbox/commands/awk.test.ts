// Guards that `awk` gives the results of GNU awk 5.2.

import { describe, expect, it } from 'vitest'

import { awk } from '../../../../src/sandbox/commands/awk/awk.ts'
import { ran } from './in-memory.ts'

const CASES: readonly (readonly [
  args: readonly string[],
  input: string,
  output: string,
  exitCode: number,
])[] = [
  [['-F,', '{s+=$3} END{print s}'], 'a,b,1\nc,d,2.5\n', '3.5\n', 0],
  [['{$5="e"; print; print NF}'], 'a b c\n', 'a b c  e\n5\n', 0],
  [['{print $NF}'], 'a b\r\n\nx', 'b\r\n\nx\n', 0],
  [['-v', 'OFS=-', '{$1=$1} 1'], 'a  b c\n', 'a-b-c\n', 0],
  [['BEGIN{RS=""}{print NR": "$1" "NF}'], 'a b\nc\n\n\nd\n', '1: a 3\n2: d 1\n', 0],
  [['-v', 'RS=[0-9]', '{print $0 "<" RT ">"}'], 'a1b2c\n', 'a<1>\nb<2>\nc\n<>\n', 0],
  [['BEGIN{FIELDWIDTHS="2 3 *"}{print $1"|"$2"|"$3}'], 'abcdefgh\n', 'ab|cde|fgh\n', 0],
  [['-v', 'FPAT=([^,]*)|("[^"]+")', '{print NF, $2}'], 'a,"b,c",,d\n', '4 "b,c"\n', 0],
  [['BEGIN{IGNORECASE=1} /AB/'], 'xab\ny\n', 'xab\n', 0],
  [['NR==2,NR==3'], '1\n2\n3\n4\n', '2\n3\n', 0],
  [['!s[$1]++'], 'a\nb\na\n', 'a\nb\n', 0],
  [['{print ($1<$2), ($1=="10"), $1+0}'], '10 9\nabc 9\n', '0 1 10\n0 0 0\n', 0],
  [
    ['BEGIN{print 1e6, 1e17, 0.1+0.2, 1/3, 2^53+1, -0, 1e300*1e10, 017, 0x11}'],
    '',
    '1000000 100000000000000000 0.3 0.333333 9007199254740992 0 +inf 15 17\n',
    0,
  ],
  [['BEGIN{OFMT="%.2f"; CONVFMT="%.3g"; a=3.14159; print a, a ""}'], '', '3.14 3.14\n', 0],
  [
    ['BEGIN{printf "%5d|%-5d|%05d|%+d|%x|%o|%c|%c|%.2s|%5s|\\n",42,42,42,42,255,8,65,"xyz","abc","é"}'],
    '',
    '   42|42   |00042|+42|ff|10|A|x|ab|    é|\n',
    0,
  ],
  [
    ['BEGIN{printf "%*d|%-*d|%.*f|%e|%G|%g|%.0f\\n",5,42,5,42,2,3.14159,12345.678,1e-10,1e6,2.5}'],
    '',
    '   42|42   |3.14|1.234568e+04|1E-10|1e+06|2\n',
    0,
  ],
  [
    ['BEGIN{printf "%d %i %x %d\\n","12abc",-3.9,-1,1e18}'],
    '',
    '12 -3 ffffffffffffffff 1000000000000000000\n',
    0,
  ],
  [
    ['BEGIN{print substr("hello",0,2), substr("hello",2.9), index("abc",""), length("é"), toupper("aé")}'],
    '',
    'he ello 1 1 AÉ\n',
    0,
  ],
  [
    ['BEGIN{n=split("a1b22c",x,/[0-9]+/,s); print n,x[3],s[2]; print split("",y), split("a|b",z,"|")}'],
    '',
    '3 c 22\n0 2\n',
    0,
  ],
  [['{n=gsub(/[aeiou]/,"<&\\\\&>"); print n, $0}'], 'hello\n', '2 h<e&>ll<o&>\n', 0],
  [
    ['BEGIN{s="abc"; print gsub(/b*/,"X",s), s; print gensub(/(.)(.)/,"\\\\2\\\\1",1,"abcd")}'],
    '',
    '3 XaXcX\nbacd\n',
    0,
  ],
  [
    [
      'BEGIN{print match("xfoobar",/o+/), RSTART, RLENGTH; match("k=v",/(.)=(.)/,m); print m[2], m[1,"start"]}',
    ],
    '',
    '3 3 2\nv 1\n',
    0,
  ],
  [['BEGIN{print match("abcd",/a|ab|abc/), RLENGTH}'], '', '1 3\n', 0],
  [
    ['BEGIN{print "foo bar" ~ /\\<bar\\>/, "foobar" ~ /\\ybar/, "a.b" ~ "a\\\\.b", "aaa" ~ /^a{3}$/}'],
    '',
    '1 0 1 1\n',
    0,
  ],
  [
    ['BEGIN{a["x"];a["y"];a["b"];for(k in a) print k; b[3];b[1];b[20]; for(k in b) print k}'],
    '',
    'x\ny\nb\n1\n3\n20\n',
    0,
  ],
  [
    ['BEGIN{PROCINFO["sorted_in"]="@val_num_desc"; a[1]=5;a[2]=9;a[3]=7; for(k in a) print k, a[k]}'],
    '',
    '2 9\n3 7\n1 5\n',
    0,
  ],
  [['BEGIN{n=split("10 9 b a",v); asort(v); for(i=1;i<=n;i++) print v[i]}'], '', '9\n10\na\nb\n', 0],
  [
    ['function c(a,b,d,e){return e-b} BEGIN{split("1 3 2",v); n=asort(v,w,"c"); print w[1],w[2],w[3]}'],
    '',
    '3 2 1\n',
    0,
  ],
  [['function f(a,n){a[n]=n; if(n>1) f(a,n-1)} BEGIN{f(q,5); print length(q)}'], '', '5\n', 0],
  [['BEGIN{a[1][2]="x"; print isarray(a[1]), a[1][2], typeof(a), typeof(u)}'], '', '1 x array untyped\n', 0],
  [['BEGIN{switch("b"){case /b/: print 1; case 2: print 2; break; default: print 3}}'], '', '1\n2\n', 0],
  [['BEGIN{do{if(++i==2) continue; if(i>4) break; print i}while(1)}'], '', '1\n3\n4\n', 0],
  [
    ['NR==1{getline; print "second", $0} NR==3{getline v; print v, NR}'],
    'a\nb\nc\nd\n',
    'second b\nd 4\n',
    0,
  ],
  [['FNR==2{nextfile}{print}', '-'], 'a\nb\n', 'a\n', 0],
  [['{exit 3} END{print "end", NR}'], 'a\nb\n', 'end 1\n', 3],
  [['{print v}', 'v=a\\tb', '-'], 'x\n', 'a\tb\n', 0],
  [
    ['BEGIN{print strftime("%F %T %j %V",86400,1), mktime("1970 01 02 00 00 00",1)}'],
    '',
    '1970-01-02 00:00:00 002 01 86400\n',
    0,
  ],
  [
    ['BEGIN{print and(12,10), or(12,3), xor(5,1), lshift(1,4), compl(0), strtonum("0x1f")}'],
    '',
    '8 15 4 16 9007199254740991 31\n',
    0,
  ],
  [['BEGIN{print 1 " " -1, 2^3^2, -2^2, !0+1, 1==1?"t":"f", (1,2) in a}'], '', '1-1 512 -4 2 t 0\n', 0],
  [['BEGIN{printf "%s %s\\n", 1}'], '', '', 2],
  [['BEGIN{x=0; print 1/x}'], '', '', 2],
  [['BEGIN{print substr("x" }'], '', '', 1],
  [['{print}', 'missing'], '', '', 2],
]

describe('awk', () => {
  it.each(CASES)('%j of %j prints what GNU awk prints', async (args, input, output, exitCode) => {
    const result = await ran(awk, 'awk', args, input)
    expect(result.refused).toBeNull()
    expect([result.stdout, result.exitCode]).toEqual([output, exitCode])
  })

  it.each([
    [['--posix', '1']],
    [['@include "x"']],
    [['BEGIN { print 1 |& "cat" }']],
    [['BEGIN { print intdiv(1, 2, r) }']],
    [['BEGIN { printf "%1$s", 1 }']],
    [['BEGIN { print SYMTAB["NR"] }']],
    [['BEGIN { print mkbool(1) }']],
    [['BEGIN { f = "length"; print @f("x") }']],
    [['/a{2000}/']],
  ])('%j is refused', async (args) => {
    expect((await ran(awk, 'awk', args, 'a\n')).refused).toContain('awk')
  })

  it('writes files in place with -i inplace', async () => {
    const program = 'BEGIN { print "start" } { print $2 } ENDFILE { print "end" } END { print "done" }'
    const result = await ran(awk, 'awk', ['-i', 'inplace', program, 'f', 'g'], '', { f: '1 a\n', g: '2 b\n' })
    expect(result.stdout).toBe('start\ndone\n')
    expect(Object.fromEntries(result.files)).toEqual({ f: 'a\nend\n', g: 'b\nend\n' })
    expect((await ran(awk, 'awk', ['-i', 'other', '1'], '', {})).refused).toContain('Instead: awk -f FILE')
  })

  it('writes files that can be read again', async () => {
    const program = '{ print $1 > "o" } END { close("o"); while ((getline l < "o") > 0) print "read", l }'
    expect((await ran(awk, 'awk', [program], 'a b\nc d\n')).stdout).toBe('read a\nread c\n')
  })
})
