// `globalThis` written with an escape, for scans of the text
gl\u006fbalThis.answer = 15;
function skill(input) {
  return gl\u006fbalThis.answer;
}
