// Arguments, standard input, and what the real tools (GNU coreutils 9.1, C.UTF-8) return.

import type { Row } from './table.ts'

export const RARE_FILES: Readonly<Record<string, string>> = {
  g: 'a\na\nb\nA\nc\nc\n',
  w: 'a\tb\n\u6f22\u5b57ab\n\u001b[1mx\nab\rabc\n',
  o: 'abc',
  s: '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n31\n32\n33\n34\n35\n36\n37\n38\n39\n40\n41\n42\n43\n44\n45\n46\n47\n48\n49\n50\n51\n52\n53\n54\n55\n56\n57\n58\n59\n60\n61\n62\n63\n64\n65\n66\n67\n68\n69\n70\n71\n72\n73\n74\n75\n76\n77\n78\n79\n80\n81\n82\n83\n84\n85\n86\n87\n88\n89\n90\n91\n92\n93\n94\n95\n96\n97\n98\n99\n100\n',
  e: '',
  neg: '-0.3\n-0\n0.2\n',
  p: '1 a\n2 a\n3 b\n',
}

export const RARE_CASES: readonly Row[] = [
  ['uniq | --group=separate | g', '', 0, 'a\na\n\nb\n\nA\n\nc\nc\n'],
  ['uniq | --group=prepend | g', '', 0, '\na\na\n\nb\n\nA\n\nc\nc\n'],
  ['uniq | --group=append | g', '', 0, 'a\na\n\nb\n\nA\n\nc\nc\n\n'],
  ['uniq | --group=both | g', '', 0, '\na\na\n\nb\n\nA\n\nc\nc\n\n'],
  ['uniq | --group=sep | g', '', 0, 'a\na\n\nb\n\nA\n\nc\nc\n'],
  ['uniq | --group | -i | g', '', 0, 'a\na\n\nb\n\nA\n\nc\nc\n'],
  ['uniq | --group | -f1 | p', '', 0, '1 a\n2 a\n\n3 b\n'],
  ['uniq | --group | -c | g', '', 1, ''],
  ['uniq | --group=x | g', '', 1, ''],
  ['uniq | --group | e', '', 0, ''],
  ['uniq | --group=both | e', '', 0, ''],
  ['wc | -L | w', '', 0, '9 w\n'],
  ['wc | -L | w | o', '', 0, ' 9 w\n 3 o\n 9 total\n'],
  ['wc | -lL | w', '', 0, ' 4  9 w\n'],
  ['wc | -lwmcL | w', '', 0, ' 4  6 22 26  9 w\n'],
  [
    'b2sum | o',
    '',
    0,
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923  o\n',
  ],
  ['b2sum | -l | 128 | o', '', 0, 'cf4ab791c62b8d2b2109c90275287816  o\n'],
  [
    'b2sum | --tag | -l | 256 | o',
    '',
    0,
    'BLAKE2b-256 (o) = bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319\n',
  ],
  ['b2sum | -l | 100 | o', '', 1, ''],
  [
    'b2sum | e',
    '',
    0,
    '786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce  e\n',
  ],
  [
    'cksum | -a | blake2b | o',
    '',
    0,
    'BLAKE2b (o) = ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923\n',
  ],
  ['shuf | --random-source=s | -n | 5 | s', '', 0, '50\n12\n53\n14\n56\n'],
  [
    'shuf | --random-source=s | -i | 1-50',
    '',
    0,
    '50\n12\n5\n3\n15\n2\n8\n18\n19\n30\n17\n26\n13\n21\n33\n37\n24\n40\n20\n10\n47\n23\n4\n27\n11\n36\n25\n31\n28\n6\n22\n39\n1\n29\n9\n32\n14\n38\n7\n44\n41\n16\n48\n42\n46\n45\n43\n35\n49\n34\n',
  ],
  ['shuf | --random-source=o | -e | a | b | c | d', '', 0, 'b\na\nc\nd\n'],
  ['shuf | --random-source=o | -i | 1-1000', '', 1, ''],
  ['shuf | --random-source=s | -r | -n | 9 | -i | 5-9', '', 0, '9\n9\n6\n5\n7\n5\n5\n5\n7\n'],
  [
    'shuf | --random-source=s | -n | 3',
    '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n31\n32\n33\n34\n35\n36\n37\n38\n39\n40\n41\n42\n43\n44\n45\n46\n47\n48\n49\n50\n51\n52\n53\n54\n55\n56\n57\n58\n59\n60\n61\n62\n63\n64\n65\n66\n67\n68\n69\n70\n71\n72\n73\n74\n75\n76\n77\n78\n79\n80\n81\n82\n83\n84\n85\n86\n87\n88\n89\n90\n91\n92\n93\n94\n95\n96\n97\n98\n99\n100\n',
    0,
    '98\n47\n48\n',
  ],
  ['wc | -L', 'ab\rabc', 0, '3\n'],
  ['numfmt | --to=si', '-0.3\n-0\n0.2\n', 0, '-0\n0\n0\n'],
  [
    'b2sum',
    'x',
    0,
    '0909377ad35110cafb2909e185672b7f2728d1f5094f8ad68d6fac6274bf1f499485a80ea364c04ed006d29459ea3cb7c600280e2f83e032529906f88ae30d0a  -\n',
  ],
]
