/**
 * Words that lists of leaked passwords begin with, year after year, in English and German, and the rows of
 * keyboards. Put together by hand from what is common knowledge of those lists, not copied from one of them: no list
 * of whole passwords is needed where twelve characters are asked for, since the long ones are these words, joined,
 * repeated, and with digits after them.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `password passwort passwd pass word kennwort geheim secret secure sicher login letmein welcome willkommen admin
  administrator root user guest test testing tester demo default changeme change master superman batman hallo hello
  iloveyou love liebe schatz princess prinzessin sunshine dragon monkey football fussball baseball basketball soccer
  hockey shadow michael jordan jennifer daniel thomas andreas alexander charlie ashley nicole jessica starwars
  pokemon naruto minecraft samsung computer internet server system windows google facebook apple summer sommer winter
  spring autumn herbst fruehling january february march april june july august september october november december
  monday freitag qwerty qwertz qwertyuiop qwertzuiop asdf asdfgh asdfghjkl yxcvbnm zxcvbnm qazwsx qwer asd
  trustno access account whatever freedom killer pepper ginger cookie cheese banana orange flower blume
  animal animals dog dogs cat cats hund hunde katze katzen pet pets petstore shelter tierheim tier tiere
  abc abcd abcde abcdef xyz my mein the ein new neu is ist me you we one two for und and to mi it go das ich dich du mich wir
  correcthorsebatterystaple`.split(/\s+/),
);
