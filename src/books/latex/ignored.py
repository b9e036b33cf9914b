"""Commands of which nothing is seen in a text, with the arguments that go with them."""

from __future__ import annotations

from src.books.latex.registry import COMMANDS, skipper

# By arguments (``*`` a star, ``o`` one in brackets, ``m`` one in braces). Where there are none,
# what follows in braces stays in the text.
_BY_ARGUMENTS = {
    "": """
        noindent indent centering raggedright raggedleft sloppy fussy newpage clearpage
        protect cleardoublepage tableofcontents listoffigures listoftables smallskip medskip
        bigskip vfill relax leavevmode unskip removelastskip strut allowbreak nobreak
        ignorespaces phantomsection makeatletter makeatother flushbottom raggedbottom itshape
        bfseries slshape mdseries sffamily ttfamily em bf it rm sl tt sf tiny
        scriptsize null footnotesize small normalsize large Large LARGE huge Huge boldmath
        displaystyle textstyle limits nolimits big Big bigl bigr bigg
        arraybackslash global long outer onecolumn columnbreak FloatBarrier glossglue
        db lsptoprule lspbottomrule toprule bottomrule hline nonumber selectfont
        ensuremath mathstrut mathrm mathit mathbf mathsf mathcal fbox
        emph textsl textmd texttt underline uline sout
        uwave ul hl st liningnums oldstylenums operatorname centerline leftline rightline llap
        rlap clap smash boxed expandafter noexpand glossentry frenchspacing nonfrenchspacing
        baselineskip textwidth linewidth columnwidth textheight parindent parskip tabcolsep
        exfont eachwordone eachwordtwo eachwordthree hss lsabbrvs backmatter lastand
        addfontfeatures normalcolor printdateextra reset@counters save@counters
        nobreakdash RL LR protectedex fittable numprint textrussian rotatehead ili isi iai""",
    "m": """
        everypar nocite pagestyle thispagestyle pagenumbering usetikzlibrary tikzset pgfplotsset
        hyphenation phantom hphantom vphantom needspace bibliographystyle addbibresource
        hypersetup graphicspath markright lohead rohead ohead ihead chead lehead rehead cfoot
        ofoot ifoot fontfamily fontseries fontshape fontencoding arrayrulecolor newlength
        newsavebox newbox dedication exewidth judgewidth typesetter proofreader ChapterDOI
        lsSeries lsSeriesNumber lsISBNdigital lsISBNhardcover lsID BookDOI affil affiliation
        orcid email cline glsadd selectlanguage setotherlanguages
        linespread newindex setmathfont addfontfeature pgfplotstableread hhline vadjust hlx
        cdashline sectionmark lsISBNsoftcover reserveinserts""",
    "*m": "hspace vspace addvspace",
    "o": """
        twocolumn pagebreak nopagebreak nolinebreak printindex
        printbibliography largerpage listoftodos midrule printglossary makeindex""",
    "*o": "enlargethispage",
    "om": """
        todo index is il ia sindex usepackage RequirePackage color rowcolor bibliography
        captionsetup setmainfont setsansfont setmonofont setdefaultlanguage setotherlanguage
        columncolor marginpar rotatebox textcolor colorbox includepdf missingfigure""",
    "*om": "includegraphics externaldocument",
    "oo": "makebox framebox",
    "moo": "raisebox",
    "mo": "scalebox",
    "omm": "newtcolorbox rule",
    "omo": "cellcolor",
    "mm": """
        fancypagestyle setlength addtolength settowidth settoheight markboth fontsize
        numberwithin DeclareFieldFormat defbibheading currentpdfbookmark addtokomafont
        setkomafont pretocmd apptocmd sbox PassOptionsToPackage PassOptionsToClass
        tikzstyle""",
    "omm*": "newtheorem",
    "*mm": "resizebox",
    "mmm": "addcontentsline definecolor putvowel colorlet",
    "mom": "newcolumntype",
    "*mom": "renewbibmacro newbibmacro",
    "*mommmmo": "titleformat",
    "*mmmmo": "titlespacing",
}


def _register() -> None:
    for arguments, names in _BY_ARGUMENTS.items():
        for name in names.split():
            COMMANDS.setdefault(name, skipper(arguments))


_register()
