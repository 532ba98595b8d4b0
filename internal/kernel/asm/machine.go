package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The layout of package kernel, in bytes or counts.
const (
	tileRow = 4
	panel   = 16 * 8 // one feature of a panel
	vector  = 8 * 8  // one entry of all lanes
)

// A machine is an instruction set with vectors of some width in bytes.
type machine struct {
	name  string
	width int
}

func (m machine) wide() bool { return m.width == 64 }

// function starts a function named for the machine.
func (m machine) function(name, signature, doc string) {
	TEXT(name+m.name, NOSPLIT, signature)
	Doc(name + m.name + " " + doc)
	Pragma("noescape")
}

// end returns from a function.
func (m machine) end() {
	VZEROUPPER()
	RET()
}

// parts returns the displacements at which a kernel has to run to cover size
// bytes, covering step bytes at a time.
func parts(size, step int) (disps []int) {
	for at := 0; at < size; at += step {
		disps = append(disps, at)
	}
	return disps
}

func (m machine) reg() reg.VecVirtual {
	if m.wide() {
		return ZMM()
	}
	return YMM()
}

func (m machine) regs(n int) []reg.VecVirtual {
	r := make([]reg.VecVirtual, n)
	for i := range r {
		r[i] = m.reg()
	}
	return r
}

// zero clears vectors.
func (m machine) zero(rs ...reg.VecVirtual) {
	for _, r := range rs {
		if m.wide() {
			VPXORQ(r, r, r)
		} else {
			VXORPD(r, r, r)
		}
	}
}

// load returns a vector loaded from memory.
func (m machine) load(from Mem) reg.VecVirtual {
	r := m.reg()
	VMOVUPD(from, r)
	return r
}

// broadcast returns a vector of copies of the float64 in memory.
func (m machine) broadcast(from Mem) reg.VecVirtual {
	r := m.reg()
	VBROADCASTSD(from, r)
	return r
}

// A mask says for which elements of a vector something holds: a mask register,
// or a vector of all ones and all zeros.
type mask struct {
	k reg.Register
	v reg.VecVirtual
}

// The predicates of VCMPPD: ordered, false for a NaN.
const (
	less     = 0x11
	greater  = 0x1e
	notEqual = 0x0c
)

// compare returns where a relates to b, among the elements of within if given.
func (m machine) compare(predicate int, a reg.VecVirtual, b Op, within *mask) mask {
	if m.wide() {
		k := K()
		if within != nil {
			VCMPPD(Imm(uint64(predicate)), b, a, within.k, k)
		} else {
			VCMPPD(Imm(uint64(predicate)), b, a, k)
		}
		return mask{k: k}
	}
	v := m.reg()
	VCMPPD(Imm(uint64(predicate)), b, a, v)
	if within != nil {
		VANDPD(within.v, v, v)
	}
	return mask{v: v}
}

// choose returns a vector with the elements of yes where the mask holds, else
// those of no.
func (m machine) choose(where mask, yes, no reg.VecVirtual) reg.VecVirtual {
	r := m.reg()
	if m.wide() {
		VBLENDMPD(yes, no, where.k, r)
	} else {
		VBLENDVPD(where.v, yes, no, r)
	}
	return r
}

// keep clears the elements of r where the mask does not hold.
func (m machine) keep(where mask, r reg.VecVirtual) {
	if m.wide() {
		VMOVAPD_Z(r, where.k, r)
	} else {
		VANDPD(where.v, r, r)
	}
}

// without returns where a holds and b does not.
func (m machine) without(a, b mask) mask {
	if m.wide() {
		k := K()
		KANDNB(a.k, b.k, k)
		return mask{k: k}
	}
	v := m.reg()
	VANDNPD(a.v, b.v, v)
	return mask{v: v}
}

// drop sets to to from, cleared where the mask holds.
func (m machine) drop(where mask, from, to reg.VecVirtual) {
	if m.wide() {
		k := K()
		KNOTB(where.k, k)
		VMOVAPD_Z(from, k, to)
	} else {
		VANDNPD(from, where.v, to)
	}
}

// constant returns the vector of copies of a number, in memory.
func constant(name string) Mem { return NewDataAddr(Symbol{Name: name, Static: true}, 0) }

// constants lays down the numbers that the kernels need, eight copies each.
func constants() {
	for _, c := range []struct {
		name string
		bits uint64
	}{
		{"one", math.Float64bits(1)},
		{"half", math.Float64bits(0.5)},
		{"quarter", math.Float64bits(0.25)},
		{"narrowLimit", math.Float64bits(0x1p100)}, // prefilterLimit
		{"sign", 1 << 63},
		{"sixteen", math.Float64bits(16)},
		{"orthogonal", math.Float64bits(1e-28)},
		{"infinity", math.Float64bits(math.Inf(1))},
		{"two", math.Float64bits(2)},
		{"sixteenth", math.Float64bits(0.0625)},
		{"expLow", math.Float64bits(-700)},
		{"expHigh", math.Float64bits(700)},
		{"expZero", math.Float64bits(-746)},
		{"log2e", math.Float64bits(math.Log2E)},
		{"ln2u", math.Float64bits(0.69314718055966295651160180568695068359375)},
		{"ln2l", math.Float64bits(0.28235290563031577122588448175013436025525412068e-12)},
		{"taylor3", math.Float64bits(1.6666666666666666667e-1)},
		{"taylor4", math.Float64bits(4.1666666666666666667e-2)},
		{"taylor5", math.Float64bits(8.3333333333333333333e-3)},
		{"taylor6", math.Float64bits(1.3888888888888888889e-3)},
		{"taylor7", math.Float64bits(1.9841269841269841270e-4)},
		{"taylor8", math.Float64bits(2.4801587301587301587e-5)},
		{"bias", 1023},
	} {
		GLOBL(c.name, RODATA|NOPTR)
		for i := range 8 {
			DATA(8*i, U64(c.bits))
		}
	}
	GLOBL("signs", RODATA|NOPTR) // of a pair that leaves and one that enters
	DATA(0, U64(math.Float64bits(-1)))
	DATA(8, U64(math.Float64bits(1)))
	GLOBL("size", RODATA|NOPTR) // all bits of a float32 but the sign
	for i := range 16 {
		DATA(4*i, U32(1<<31-1))
	}
	for _, c := range narrowConstants {
		GLOBL(c.name, RODATA|NOPTR)
		for i := range 16 {
			DATA(4*i, U32(c.bits))
		}
	}
	GLOBL("places", RODATA|NOPTR) // the bits of a word of 32, one by one
	for i := range 32 {
		DATA(4*i, U32(1<<i))
	}
}

// slice loads the address of a parameter that is a slice.
func slice(name string) reg.Register { return Load(Param(name).Base(), GP64()) }

// value loads a parameter.
func value(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// spread returns the addresses base + i·step for i < n ≤ 4, given a register
// with 3·step if n is 4.
func spread(base, step, triple reg.Register, disp, n int) []Mem {
	return []Mem{
		{Base: base, Disp: disp},
		{Base: base, Index: step, Scale: 1, Disp: disp},
		{Base: base, Index: step, Scale: 2, Disp: disp},
		{Base: base, Index: triple, Scale: 1, Disp: disp},
	}[:n]
}

// thrice returns a register with 3·r.
func thrice(r reg.Register) reg.Register {
	t := GP64()
	LEAQ(Mem{Base: r, Index: r, Scale: 2}, t)
	return t
}

var labels int

// newLabel returns a label that no other place has.
func newLabel(name string) string {
	labels++
	return fmt.Sprintf("%s%d", name, labels)
}

// here sets a label that no other place has, and returns it.
func here(name string) string {
	label := newLabel(name)
	Label(label)
	return label
}

// loop emits body, to run as often as the register count says, at least once.
func loop(count reg.Register, body func()) {
	name := here("loop")
	body()
	DECQ(count)
	JNZ(LabelRef(name))
}

// advance moves pointers on by some bytes.
func advance(bytes uint64, pointers ...reg.Register) {
	for _, p := range pointers {
		ADDQ(Imm(bytes), p)
	}
}

// copyOf returns a copy of a register.
func copyOf(r reg.Register) reg.GPVirtual {
	c := GP64()
	MOVQ(r, c)
	return c
}
