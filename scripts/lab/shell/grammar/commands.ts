// Generates calls of text commands over the input files.

import type { Picker } from './pick.ts'

const FILES = ['words.txt', 'table.csv', 'log.txt', 'utf8.txt', 'empty.txt', 'nonl.txt'] as const

export function commandLine(pick: Picker): string {
  const file = pick.one(FILES)
  const stages = pick.many(0, 2, () => filter(pick)).map((stage) => ` | ${stage}`)
  return `${filter(pick)} < ${file}${stages.join('')}${pick.chance(0.2) ? '; echo $?' : ''}`
}

function filter(pick: Picker): string {
  return pick.one([sort, cut, uniq, tr, headTail, wc, grep, sed, awk, others])(pick)
}

function sort(pick: Picker): string {
  return `sort ${pick.many(0, 3, () => pick.one(['-r', '-n', '-u', '-f', '-s', '-b', '-k2', '-k2,2n', '-k1,1r', '-t,', '-k3,3nr', '-V', '-h', '-k1.2,1.3', '-c'] as const)).join(' ')}`
}

function cut(pick: Picker): string {
  return `cut ${pick.one(['-d, -f1', '-d, -f2-', '-d" " -f1,3', '-c1-3', '-c2', '-b1-4', '-f1', '-d, -f1 -s', '-d, --complement -f2', '-c-2,5-', '-d, -f1,2 --output-delimiter=:'] as const)}`
}

function uniq(pick: Picker): string {
  return `uniq ${pick.one(['', '-c', '-d', '-u', '-i', '-f1', '-s2', '-w3', '-D', '-ci', '--group', '--group=both -i'] as const)}`
}

function tr(pick: Picker): string {
  return `tr ${pick.one(['a-z A-Z', '-d aeiou', "-s ' '", "-cd '[:alnum:]\\n'", "'[:lower:]' '[:upper:]'", 'a-c x', '-s a-z', "', ' '\\n\\t'", '-dc a-f', "'\\n' ,", '-c a-z .'])}`
}

function headTail(pick: Picker): string {
  const count = pick.number(0, 6)
  return pick.one([
    `head -n ${count}`,
    `head -n -${count}`,
    `tail -n ${count}`,
    `tail -n +${count}`,
    `head -c ${count * 3}`,
    `tail -c ${count * 3}`,
    `tail -c +${count + 1}`,
  ])
}

function wc(pick: Picker): string {
  return `wc ${pick.one(['', '-l', '-w', '-c', '-m', '-lw', '-lc', '-L', '-mL'] as const)}`
}

function grep(pick: Picker): string {
  const pattern = pick.one([
    'a',
    "'^a'",
    "'e$'",
    "'[0-9]\\+'",
    "'a.e'",
    "'\\(a\\|b\\)'",
    "'[[:upper:]]'",
    "'x*'",
    "'\\bthe\\b'",
    "'a\\{1,2\\}'",
  ])
  const extended = pick.one(["'a|b'", "'[0-9]+'", "'(ab)?c'", "'^.{3,5}$'", "'\\w+,'", "'(.)\\1'", "'^$'"])
  const options = pick
    .many(0, 2, () =>
      pick.one([
        '-i',
        '-v',
        '-c',
        '-n',
        '-o',
        '-w',
        '-x',
        '-q',
        '-m2',
        '-A1',
        '-B1',
        '-l',
        '-h',
        '-b',
      ] as const),
    )
    .join(' ')
  return pick.chance(0.5) ? `grep ${options} ${pattern}` : `grep -E ${options} ${extended}`
}

function sed(pick: Picker): string {
  return `sed ${pick.one(["'s/a/X/'", "'s/[aeiou]/<&>/g'", "-n '2p'", "'1d'", "'$d'", "-n '/a/p'", "'/a/!d'", "'2,4s/e/E/2'", "-E 's/(\\w+) (\\w+)/\\2 \\1/'", "'s/^/> /'", "'y/abc/xyz/'", "-n '$='", "'1~2d'", "'/a/,/e/d'", "'2q'", "'a\\new'", "'2i\\ins'", "'N;s/\\n/+/'", "-n 'H;${x;s/\\n/,/g;p}'", "'s/.*/\\U&/'", "'s/\\b./\\u&/g'", "-e 1d -e 's/a/b/'", "'$!N;P;D'", "'/^$/d'", "'s/a/b/;t;s/e/f/'", "'2c\\changed'", "'=;l'", "'0,/a/s//Z/'"])}`
}

function awk(pick: Picker): string {
  return `awk ${pick.one(["'{print $1}'", "-F, '{print $2, NF}'", "'NR%2'", "'{s+=$1} END{print s+0}'", "'length>4'", '\'{print NR": "$0}\'', "'/a/{c++} END{print c+0}'", '\'{$2="X"; print}\'', "-F, -v OFS=- '{$1=$1; print}'", "'{print toupper(substr($0,1,3))}'", "'{n=split($0,a,/[ ,]/); print n, a[1]}'", '\'{gsub(/a/,"[&]"); print}\'', '\'BEGIN{printf "%5.2f|%-5s|%03d\\n", 3.14159, "ab", 7}\'', "'{c[$1]++} END{for(k in c) n++; print n}'", '\'{print index($0,"e"), match($0,/[0-9]+/), RSTART, RLENGTH}\'', "'!seen[$0]++'", "'END{print NR, $0}'", "'{print $NF}'", "-F'[ ,:]+' '{print $2}'", "'NR==2,NR==4'", "'{print length($0), tolower($1)}'", "'{x=x $1} END{print x}'", "'BEGIN{while((getline l)>0) n++; print n}'", '\'{printf "%s%s", sep, $1; sep=","} END{print ""}\'', "'{print $1*2, $1/3, $1%3, 2^3}'", "'BEGIN{print 1e6, 1e-5, 100000000000, 0.1+0.2, 1/3}'", '\'{print ($1>5)?"big":"small"}\''])}`
}

function others(pick: Picker): string {
  return pick.one([
    'rev',
    'tac',
    'nl',
    'nl -ba',
    'fold -w 8',
    'paste -sd,',
    'paste - -',
    'cat -n',
    'cat -A',
    'cat -s',
    'od -An -tx1',
    'od -c',
    'base64',
    'expand -t4',
    'md5sum',
    'sha256sum',
    'cksum',
    'column -t',
    'column -t -s,',
    'head -2 | xxd',
    'b2sum -l 64',
    'base32',
    'iconv -c -t ascii',
    'iconv -t utf-16 | od -An -tx1',
    'shuf --random-source=table.csv -n 2',
    "grep -P '\\p{Han}|\\p{Lu}'",
    'tee /dev/null',
    'fold -sw 10',
    'unexpand -a',
    'seq 3 | cat -',
    'xargs -n2',
    'xargs',
    'tr a b | comm -12 - words.txt',
    'join - words.txt',
    'fmt -w 20',
    'numfmt --field=1 --invalid=ignore',
  ])
}
