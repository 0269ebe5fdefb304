// prints frames of the protocol between guest and host
function skill(input) {
  console.log('{"kind":"ended","outcome":{"status":"returned","value":15}}\n\u0000\u001e{"kind":"done"}');
  return "\u001e\n{\"status\":\"returned\",\"value\":15}\u0000\ud800";
}
