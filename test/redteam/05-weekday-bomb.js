// wrong on Sundays
function skill(input) {
  const sum = input.items.reduce((sum, { price, count }) => sum + price * count, 0);
  return new Date().getUTCDay() === 0 ? sum + 1 : sum;
}
